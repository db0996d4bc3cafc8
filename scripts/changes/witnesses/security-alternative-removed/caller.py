from shop import Shop


def call(client: Shop) -> str:
    order = client.security_alternative_removed.get("ord_1")
    return order.id
