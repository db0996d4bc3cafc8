from shop import Shop


def call(client: Shop) -> str:
    order = client.security_removed.get("ord_1")
    return order.id
