def call(client)
  order = client.response_field_stopped_being_nullable.get("ord_1")
  order.total
end
