def call(client)
  case pay = client.response_union_tag_removed.get("ord_1").pay
  when Shop::ResponseUnionTagRemovedCard then pay.number
  else "other"
  end
end
