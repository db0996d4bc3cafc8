def call(client)
  order = client.request_enum_opened.create(state: "open")
  order.id
end
