def call(client)
  order = client.response_body_removed.get("ord_1")
  order.id
end
