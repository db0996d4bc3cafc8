def call(client)
  order = client.response_enum_opened.get("ord_1")
  order.state == "open"
end
