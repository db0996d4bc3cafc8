def call(client)
  order = client.request_field_renamed.create(item: "cup", quantity: 2)
  order.id
end
