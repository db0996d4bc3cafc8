def call(client)
  order = client.request_union_introduced.create(pay: Shop::RequestUnionIntroducedCard.new(number: "42"))
  order.id
end
