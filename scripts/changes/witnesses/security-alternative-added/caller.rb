def call(client)
  order = client.security_alternative_added.get("ord_1")
  order.id
end
