def call(client)
  order = client.operation_moved_kept.get("ord_1", lang: "de")
  order.id
end
