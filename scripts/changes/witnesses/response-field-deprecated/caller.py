from shop import Shop


def call(client: Shop) -> int:
    order = client.response_field_deprecated.get("ord_1")
    return order.total
