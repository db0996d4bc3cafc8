from shop import Shop


def call(client: Shop) -> str:
    order = client.security_header_renamed.get("ord_1")
    return order.id
