def call(client)
  order = client.response_field_became_nullable.get("ord_1")
  order.total
end
