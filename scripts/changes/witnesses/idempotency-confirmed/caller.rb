def call(client)
  order = client.idempotency_confirmed.create(item: "cup")
  order.recognized
end
