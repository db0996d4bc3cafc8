from shop import Shop


def call(client: Shop) -> object:
    order = client.response_map_closed.get("ord_1")
    return order.extra.get("colour")
