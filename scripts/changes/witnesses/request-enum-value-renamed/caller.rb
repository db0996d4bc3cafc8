def call(client)
  order = client.request_enum_value_renamed.create(state: "open")
  order.id
end
