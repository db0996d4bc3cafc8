def call(client)
  order = client.parameters_reordered.get("ord_1", lang: "de", page: 2)
  order.note
end
