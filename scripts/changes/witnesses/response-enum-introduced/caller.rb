def call(client)
  order = client.response_enum_introduced.get("ord_1")
  order.state
end
