def call(client)
  order = client.request_enum_value_added.create(state: "open")
  order.id
end
