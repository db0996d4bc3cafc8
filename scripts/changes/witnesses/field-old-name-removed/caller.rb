def call(client)
  order = client.field_old_name_removed.get("ord_1")
  order.total
end
