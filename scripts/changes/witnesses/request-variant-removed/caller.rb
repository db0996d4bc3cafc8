def call(client)
  order = client.request_variant_removed.create(pay: { type: "gift", code: "X" })
  order.id
end
