def call(client)
  order = client.response_map_closed.get("ord_1")
  order[:colour]
end
