def call(client)
  order = client.query_parameter_type_changed.get("ord_1", lang: "de")
  order.note
end
