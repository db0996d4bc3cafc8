def call(client)
  order = client.type_inlined.get("ord_1")
  order.id if order.is_a?(Shop::TypeInlinedOrder)
end
