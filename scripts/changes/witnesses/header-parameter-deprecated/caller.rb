def call(client)
  order = client.header_parameter_deprecated.get("ord_1", x_level: 5)
  order.note
end
