def call(client)
  order = client.response_type_changed.get("ord_1")
  order.id
end
