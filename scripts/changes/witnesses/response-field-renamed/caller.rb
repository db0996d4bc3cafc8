def call(client)
  order = client.response_field_renamed.get("ord_1")
  order.total
end
