from shop import RequestUnionTagValueChangedCard, Shop


def call(client: Shop) -> str:
    order = client.request_union_tag_value_changed.create(
        pay=RequestUnionTagValueChangedCard(type="card", number="42")
    )
    return order.id
