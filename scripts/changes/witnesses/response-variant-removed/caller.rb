def call(client)
  case pay = client.response_variant_removed.get("ord_1").pay
  when Shop::ResponseVariantRemovedGift then pay.code
  else "other"
  end
end
