def call(client)
  order = client.header_parameter_tightened.get("ord_1", x_level: 5)
  order.note
end
