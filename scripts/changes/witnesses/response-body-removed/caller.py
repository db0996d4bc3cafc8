from shop import Shop


def call(client: Shop) -> str:
    order = client.response_body_removed.get("ord_1")
    return order.id
