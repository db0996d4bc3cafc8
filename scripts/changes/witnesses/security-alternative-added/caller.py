from shop import Shop


def call(client: Shop) -> str:
    order = client.security_alternative_added.get("ord_1")
    return order.id
