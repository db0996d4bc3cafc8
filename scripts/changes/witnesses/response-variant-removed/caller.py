from shop import ResponseVariantRemovedGift, Shop


def call(client: Shop) -> object:
    pay = client.response_variant_removed.get("ord_1").pay
    return pay.code if isinstance(pay, ResponseVariantRemovedGift) else "other"
