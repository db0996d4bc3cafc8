def call(client)
  order = client.request_field_added_required.create(item: "cup")
  order.id
end
