def call(client)
  order = client.path_parameter_renamed.get("a")
  order.id
end
