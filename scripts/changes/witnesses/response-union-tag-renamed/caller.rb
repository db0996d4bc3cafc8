def call(client)
  case pay = client.response_union_tag_renamed.get("ord_1").pay
  when Shop::ResponseUnionTagRenamedCard then pay.number
  else "other"
  end
end
