def call(client)
  order = client.response_field_constraint_changed.get("ord_1")
  order.note
end
