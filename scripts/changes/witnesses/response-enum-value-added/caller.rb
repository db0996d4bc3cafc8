def call(client)
  order = client.response_enum_value_added.get("ord_1")
  order.state == "open"
end
