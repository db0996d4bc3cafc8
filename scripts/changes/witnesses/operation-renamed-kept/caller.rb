def call(client)
  order = client.operation_renamed_kept.get("ord_1", lang: "de")
  order.id
end
