from shop import Shop


def call(client: Shop) -> int:
    order = client.assumption_added.get("ord_1")
    return order.total
