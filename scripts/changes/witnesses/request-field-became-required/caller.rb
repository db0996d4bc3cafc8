def call(client)
  order = client.request_field_became_required.create(item: "cup")
  order.id
end
