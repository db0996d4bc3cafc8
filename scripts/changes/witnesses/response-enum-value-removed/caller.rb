def call(client)
  order = client.response_enum_value_removed.get("ord_1")
  order.state == "lost"
end
