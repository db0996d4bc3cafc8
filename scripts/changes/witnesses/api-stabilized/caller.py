from shop import Shop


def call(client: Shop) -> str:
    order = client.api_stabilized.get("ord_1")
    return order.id
