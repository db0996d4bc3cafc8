def call(client)
  order = client.response_content_type_changed.get("ord_1")
  order.id
end
