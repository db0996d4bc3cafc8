def call(client)
  order = client.header_parameter_removed.get("ord_1", x_region: "eu")
  order.note
end
