def call(client)
  order = client.operation_destabilized.get("ord_1")
  order.id
end
