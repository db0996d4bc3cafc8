def call(client)
  order = client.response_union_introduced.get("ord_1")
  order.pay.number
end
