def call(client)
  order = client.request_content_type_changed.create(item: "cup")
  order.id
end
