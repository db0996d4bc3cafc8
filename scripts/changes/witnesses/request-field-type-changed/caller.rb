def call(client)
  order = client.request_field_type_changed.create(item: "cup", quantity: 2)
  order.id
end
