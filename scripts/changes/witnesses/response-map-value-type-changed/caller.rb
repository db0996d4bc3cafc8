def call(client)
  order = client.response_map_value_type_changed.get("ord_1")
  order.stock["cup"]
end
