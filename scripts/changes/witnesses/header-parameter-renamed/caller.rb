def call(client)
  order = client.header_parameter_renamed.get("ord_1", x_region: "eu")
  order.note
end
