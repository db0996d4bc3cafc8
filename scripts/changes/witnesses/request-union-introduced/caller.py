from shop import RequestUnionIntroducedCard, Shop


def call(client: Shop) -> str:
    order = client.request_union_introduced.create(pay=RequestUnionIntroducedCard(number="42"))
    return order.id
