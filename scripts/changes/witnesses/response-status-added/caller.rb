def call(client)
  order = client.response_status_added.get("ord_1")
  order.id
end
