def call(client)
  order = client.request_literal_changed.create(item: "cup")
  order.id
end
