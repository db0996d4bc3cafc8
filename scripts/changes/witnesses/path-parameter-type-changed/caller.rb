def call(client)
  order = client.path_parameter_type_changed.get("a")
  order.id
end
