def call(client)
  order = client.security_removed.get("ord_1")
  order.id
end
