from shop import Shop


def call(client: Shop) -> str:
    order = client.operation_method_changed.close("ord_1")
    return order.id
