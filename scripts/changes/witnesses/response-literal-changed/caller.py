from shop import Shop


def call(client: Shop) -> str:
    order = client.response_literal_changed.get("ord_1")
    return order.kind
