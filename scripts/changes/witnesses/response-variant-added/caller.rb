def call(client)
  case pay = client.response_variant_added.get("ord_1").pay
  when Shop::ResponseVariantAddedCard then pay.number
  else "other"
  end
end
