from shop import Shop


def call(client: Shop) -> str:
    order = client.response_map_introduced.get("ord_1")
    return order.id
