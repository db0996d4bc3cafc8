def call(client)
  order = client.operation_removed.get("ord_1")
  order.id
end
