def call(client)
  order = client.type_deprecated.get("ord_1")
  order.id if order.is_a?(Shop::TypeDeprecated)
end
