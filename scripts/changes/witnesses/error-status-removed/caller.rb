def call(client)
  order = client.error_status_removed.get("ord_1")
  order.id
end
