def call(client)
  order = client.operation_documentation_changed.get("ord_1")
  order.id
end
