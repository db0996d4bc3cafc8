def call(client)
  order = client.query_parameter_loosened.get("ord_1", page: 2)
  order.note
end
