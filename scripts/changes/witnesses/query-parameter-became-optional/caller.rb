def call(client)
  order = client.query_parameter_became_optional.get("ord_1", lang: "de")
  order.note
end
