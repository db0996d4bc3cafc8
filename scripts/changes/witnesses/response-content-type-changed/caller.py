from shop import Shop


def call(client: Shop) -> str:
    order = client.response_content_type_changed.get("ord_1")
    return order.id
