def call(client)
  order = client.header_parameter_became_optional.get("ord_1", x_region: "eu")
  order.note
end
