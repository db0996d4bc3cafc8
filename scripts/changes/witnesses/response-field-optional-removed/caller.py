from shop import Shop


def call(client: Shop) -> str | None:
    order = client.response_field_optional_removed.get("ord_1")
    return order.note
