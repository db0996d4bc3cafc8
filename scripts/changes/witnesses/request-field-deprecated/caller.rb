def call(client)
  order = client.request_field_deprecated.create(item: "cup", quantity: 2)
  order.id
end
