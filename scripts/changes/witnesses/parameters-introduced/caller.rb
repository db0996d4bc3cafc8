def call(client)
  order = client.parameters_introduced.get("ord_1")
  order.note
end
