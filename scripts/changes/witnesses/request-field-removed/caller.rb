def call(client)
  order = client.request_field_removed.create(item: "cup", note: "Hello")
  order.note
end
