from shop import Shop


def call(client: Shop) -> str:
    order = client.response_status_removed.get("ord_1")
    return order.id
