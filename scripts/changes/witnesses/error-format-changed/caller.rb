def call(client)
  client.error_format_changed.get("ord_1", page: 10)
rescue Shop::APIError => e
  e.problem&.detail
end
