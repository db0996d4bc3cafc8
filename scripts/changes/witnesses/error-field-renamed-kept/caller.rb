def call(client)
  client.error_field_renamed_kept.get("ord_1", page: 10)
rescue Shop::APIError => e
  e.problem&.detail
end
