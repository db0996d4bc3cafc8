def call(client)
  order = client.idempotency_added.create(item: "cup")
  order.recognized
end
