def call(client)
  order = client.security_scheme_changed.get("ord_1")
  order.id
end
