from shop import Shop


def call(client: Shop) -> str:
    order = client.error_status_removed.get("ord_1")
    return order.id
