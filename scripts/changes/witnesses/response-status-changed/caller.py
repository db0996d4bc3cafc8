from shop import Shop


def call(client: Shop) -> str:
    order = client.response_status_changed.get("ord_1")
    return order.id
