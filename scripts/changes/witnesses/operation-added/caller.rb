def call(client)
  order = client.operation_added.get("ord_1")
  order.id
end
