def call(client)
  order = client.type_shared.get("ord_1")
  order.id if order.is_a?(Shop::TypeSharedGetResponse)
end
