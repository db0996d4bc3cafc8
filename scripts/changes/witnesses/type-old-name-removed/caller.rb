def call(client)
  order = client.type_old_name_removed.get("ord_1")
  order.id if order.is_a?(Shop::TypeOldNameRemovedOrder)
end
