def call(client)
  order = client.required_order_changed.create(item: "cup", quantity: 2)
  order.id
end
