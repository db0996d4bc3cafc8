def call(client)
  order = client.response_field_format_changed.get("ord_1")
  order.at
end
