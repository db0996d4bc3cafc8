def call(client)
  order = client.header_parameter_added.get("ord_1", page: 2)
  order.note
end
