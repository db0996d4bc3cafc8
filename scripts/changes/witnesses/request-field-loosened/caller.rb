def call(client)
  order = client.request_field_loosened.create(item: "cup", quantity: 2)
  order.id
end
