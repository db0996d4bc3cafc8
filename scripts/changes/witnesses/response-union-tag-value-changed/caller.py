from shop import ResponseUnionTagValueChangedCard, Shop


def call(client: Shop) -> object:
    pay = client.response_union_tag_value_changed.get("ord_1").pay
    return pay.number if isinstance(pay, ResponseUnionTagValueChangedCard) else "other"
