def call(client)
  order = client.response_field_removed.get("ord_1")
  order.total
end
