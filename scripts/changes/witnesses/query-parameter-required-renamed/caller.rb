def call(client)
  order = client.query_parameter_required_renamed.get("ord_1", lang: "de")
  order.note
end
