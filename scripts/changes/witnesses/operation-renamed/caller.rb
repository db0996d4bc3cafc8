def call(client)
  order = client.operation_renamed.get("ord_1")
  order.id
end
