def call(client)
  order = client.query_parameter_renamed.get("ord_1", lang: "de")
  order.note
end
