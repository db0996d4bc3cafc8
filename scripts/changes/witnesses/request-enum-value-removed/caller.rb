def call(client)
  order = client.request_enum_value_removed.create(state: "lost")
  order.id
end
