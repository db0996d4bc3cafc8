def call(client)
  order = client.response_map_introduced.get("ord_1")
  order.id
end
