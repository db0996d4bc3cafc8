def call(client)
  order = client.header_parameter_became_required.get("ord_1", page: 2)
  order.note
end
