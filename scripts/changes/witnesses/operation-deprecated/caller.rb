def call(client)
  order = client.operation_deprecated.get("ord_1")
  order.id
end
