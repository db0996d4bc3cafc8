def call(client)
  order = client.idempotency_removed.create(item: "cup")
  order.recognized
end
