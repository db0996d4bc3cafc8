from shop import RequestVariantRemovedGift, Shop


def call(client: Shop) -> str:
    order = client.request_variant_removed.create(pay=RequestVariantRemovedGift(code="X"))
    return order.id
