def call(client)
  order = client.response_field_deprecated.get("ord_1")
  order.total
end
