from shop import Shop


def call(client: Shop) -> str:
    order = client.response_type_changed.get("ord_1")
    return order.id
