def call(client)
  order = client.request_map_introduced.create(item: "cup")
  order.id
end
