def call(client)
  order = client.response_field_added.get("ord_1")
  order.total
end
