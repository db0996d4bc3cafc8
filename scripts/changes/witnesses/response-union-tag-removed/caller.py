from shop import ResponseUnionTagRemovedCard, Shop


def call(client: Shop) -> object:
    pay = client.response_union_tag_removed.get("ord_1").pay
    return pay.number if isinstance(pay, ResponseUnionTagRemovedCard) else "other"
