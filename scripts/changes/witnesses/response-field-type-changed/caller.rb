def call(client)
  order = client.response_field_type_changed.get("ord_1")
  order.total
end
