def call(client)
  order = client.request_field_format_changed.create(item: "cup", due: Time.utc(2026, 1, 2))
  order.id
end
