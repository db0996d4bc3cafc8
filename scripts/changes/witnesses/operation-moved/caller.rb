def call(client)
  order = client.operation_moved.get("ord_1")
  order.id
end
