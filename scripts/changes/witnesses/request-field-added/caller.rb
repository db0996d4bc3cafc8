def call(client)
  order = client.request_field_added.create(item: "cup")
  order.id
end
