def call(client)
  order = client.request_field_stopped_being_nullable.create(item: "cup", quantity: nil)
  order.id
end
