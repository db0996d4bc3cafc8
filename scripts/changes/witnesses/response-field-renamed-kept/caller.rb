def call(client)
  order = client.response_field_renamed_kept.get("ord_1")
  order.total
end
