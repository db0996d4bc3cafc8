def call(client)
  order = client.request_field_default_changed.create(item: "cup")
  order.colour
end
