def call(client)
  order = client.path_parameter_added.get("a")
  order.id
end
