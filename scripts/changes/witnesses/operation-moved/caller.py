from shop import Shop


def call(client: Shop) -> str:
    order = client.operation_moved.get("ord_1")
    return order.id
