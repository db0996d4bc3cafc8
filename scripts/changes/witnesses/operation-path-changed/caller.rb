def call(client)
  order = client.operation_path_changed.get("ord_1")
  order.id
end
