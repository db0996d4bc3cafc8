def call(client)
  order = client.request_body_removed.create(item: "cup")
  order.item
end
