def call(client)
  order = client.request_map_introduced.create(cup: { size: "big" })
  order.id
end
