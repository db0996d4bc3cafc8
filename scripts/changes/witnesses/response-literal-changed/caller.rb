def call(client)
  order = client.response_literal_changed.get("ord_1")
  order.kind
end
