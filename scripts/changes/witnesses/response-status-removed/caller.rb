def call(client)
  order = client.response_status_removed.get("ord_1")
  order.id
end
