def call(client)
  case pay = client.response_union_tag_value_changed.get("ord_1").pay
  when Shop::ResponseUnionTagValueChangedCard then pay.number
  else "other"
  end
end
