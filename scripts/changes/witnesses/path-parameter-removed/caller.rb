def call(client)
  order = client.path_parameter_removed.get("s", "a")
  order.id
end
