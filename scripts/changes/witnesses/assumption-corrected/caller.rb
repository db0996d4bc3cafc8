def call(client)
  order = client.assumption_corrected.get("ord_1")
  order.total
end
