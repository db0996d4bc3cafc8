def call(client)
  order = client.security_header_renamed.get("ord_1")
  order.id
end
