def call(client)
  order = client.request_field_tightened.create(item: "cup", quantity: 2)
  order.id
end
