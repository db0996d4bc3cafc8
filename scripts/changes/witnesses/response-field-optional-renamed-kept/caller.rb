def call(client)
  order = client.response_field_optional_renamed_kept.get("ord_1")
  order.note
end
