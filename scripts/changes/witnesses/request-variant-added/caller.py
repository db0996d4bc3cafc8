from shop import RequestVariantAddedCard, Shop


def call(client: Shop) -> str:
    order = client.request_variant_added.create(pay=RequestVariantAddedCard(number="42"))
    return order.id
