def call(client)
  order = client.response_status_changed.get("ord_1")
  order.id
end
