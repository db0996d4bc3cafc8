def call(client)
  order = client.operation_method_changed.close("ord_1")
  order.id
end
