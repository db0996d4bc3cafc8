def call(client)
  order = client.idempotency_header_renamed.create(item: "cup")
  order.recognized
end
