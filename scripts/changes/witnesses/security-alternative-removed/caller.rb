def call(client)
  order = client.security_alternative_removed.get("ord_1")
  order.id
end
