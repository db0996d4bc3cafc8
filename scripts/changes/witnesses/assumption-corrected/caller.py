from shop import Shop


def call(client: Shop) -> int:
    order = client.assumption_corrected.get("ord_1")
    return order.total
