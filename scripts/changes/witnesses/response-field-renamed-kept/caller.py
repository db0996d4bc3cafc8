from shop import Shop


def call(client: Shop) -> int:
    order = client.response_field_renamed_kept.get("ord_1")
    return order.total
