def call(client)
  order = client.response_enum_value_renamed.get("ord_1")
  order.state == "open"
end
