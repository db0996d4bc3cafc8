def call(client)
  order = client.query_parameter_added_required.get("ord_1", page: 2)
  order.note
end
