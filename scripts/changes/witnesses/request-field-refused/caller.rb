def call(client)
  order = client.request_field_refused.create(item: "cup", note: "Hello")
  order.id
end
