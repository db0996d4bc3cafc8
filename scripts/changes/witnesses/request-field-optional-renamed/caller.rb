def call(client)
  order = client.request_field_optional_renamed.create(item: "cup", note: "Hello")
  order.note
end
