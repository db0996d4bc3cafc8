from shop import RequestUnionTagRenamedCard, Shop


def call(client: Shop) -> str:
    order = client.request_union_tag_renamed.create(
        pay=RequestUnionTagRenamedCard(type="card", number="42")
    )
    return order.id
