def call(client)
  order = client.type_renamed_kept.get("ord_1")
  order.id if order.is_a?(Shop::TypeRenamedKeptOrder)
end
