def call(client)
  order = client.path_parameter_tightened.get("ab")
  order.id
end
