from shop import Shop


def call(client: Shop) -> str:
    order = client.operation_path_changed.get("ord_1")
    return order.id
