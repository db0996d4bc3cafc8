from shop import ResponseUnionTagRenamedCard, Shop


def call(client: Shop) -> object:
    pay = client.response_union_tag_renamed.get("ord_1").pay
    return pay.number if isinstance(pay, ResponseUnionTagRenamedCard) else "other"
