from shop import Shop


def call(client: Shop) -> str:
    order = client.operation_documentation_changed.get("ord_1")
    return order.id
