def call(client)
  order = client.error_status_added.get("ord_1")
  order.id
end
