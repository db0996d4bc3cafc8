def call(client)
  order = client.operation_stabilized.get("ord_1")
  order.id
end
