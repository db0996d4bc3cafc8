def call(client)
  order = client.header_parameter_type_changed.get("ord_1", x_region: "eu")
  order.note
end
