def call(client)
  order = client.response_field_became_required.get("ord_1")
  order.note
end
