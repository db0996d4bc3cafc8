def call(client)
  order = client.operation_old_name_removed.get("ord_1", lang: "de")
  order.id
end
