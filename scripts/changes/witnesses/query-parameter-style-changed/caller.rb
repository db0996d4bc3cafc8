def call(client)
  order = client.query_parameter_style_changed.get("ord_1", tags: %w[a b])
  order.note
end
