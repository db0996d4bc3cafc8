def call(client)
  order = client.response_field_became_optional.get("ord_1")
  order.total
end
