def call(client)
  order = client.query_parameter_removed.get("ord_1", lang: "de")
  order.note
end
