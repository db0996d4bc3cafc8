def call(client)
  order = client.request_map_value_type_changed.create(stock: { "cup" => 3 })
  order.id
end
