def call(client)
  order = client.assumption_added.get("ord_1")
  order.total
end
