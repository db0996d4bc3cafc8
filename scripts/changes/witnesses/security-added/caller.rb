def call(client)
  order = client.security_added.get("ord_1")
  order.id
end
