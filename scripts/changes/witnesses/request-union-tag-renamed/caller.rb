def call(client)
  order = client.request_union_tag_renamed.create(pay: { type: "card", number: "42" })
  order.id
end
