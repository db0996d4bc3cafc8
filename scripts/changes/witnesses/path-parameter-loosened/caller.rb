def call(client)
  order = client.path_parameter_loosened.get("ab")
  order.id
end
