def call(client)
  order = client.request_field_became_optional.create(item: "cup", quantity: 2)
  order.id
end
