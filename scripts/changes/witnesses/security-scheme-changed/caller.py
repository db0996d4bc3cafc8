from shop import Shop


def call(client: Shop) -> str:
    order = client.security_scheme_changed.get("ord_1")
    return order.id
