def call(client)
  order = client.api_stabilized.get("ord_1")
  order.id
end
