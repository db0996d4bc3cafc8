def call(client)
  order = client.request_union_tag_value_changed.create(pay: { type: "card", number: "42" })
  order.id
end
