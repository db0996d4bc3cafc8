from shop import Shop


def call(client: Shop) -> str:
    order = client.response_union_introduced.get("ord_1")
    return order.pay.number
