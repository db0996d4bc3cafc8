from shop import ResponseVariantAddedCard, Shop


def call(client: Shop) -> object:
    pay = client.response_variant_added.get("ord_1").pay
    return pay.number if isinstance(pay, ResponseVariantAddedCard) else "other"
