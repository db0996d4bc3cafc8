def call(client)
  order = client.request_body_type_changed.create(item: "cup")
  order.id
end
