from shop import Shop


def call(client: Shop) -> int:
    order = client.response_field_became_optional.get("ord_1")
    return order.total
