def call(client)
  order = client.request_variant_added.create(pay: Shop::RequestVariantAddedCard.new(number: "42"))
  order.id
end
