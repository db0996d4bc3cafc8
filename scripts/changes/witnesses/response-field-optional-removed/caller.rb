def call(client)
  order = client.response_field_optional_removed.get("ord_1")
  order.note
end
