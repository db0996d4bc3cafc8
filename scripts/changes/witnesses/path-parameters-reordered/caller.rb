def call(client)
  order = client.path_parameters_reordered.items.get("s_1", "o_1")
  order.id
end
