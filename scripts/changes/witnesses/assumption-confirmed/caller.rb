def call(client)
  order = client.assumption_confirmed.get("ord_1")
  order.total
end
