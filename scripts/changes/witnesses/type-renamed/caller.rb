def call(client)
  order = client.type_renamed.get("ord_1")
  order.id if order.is_a?(Shop::TypeRenamedOrder)
end
