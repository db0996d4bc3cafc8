def call(client)
  order = client.request_enum_introduced.create(state: "open")
  order.id
end
