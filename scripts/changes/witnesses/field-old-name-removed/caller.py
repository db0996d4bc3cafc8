from shop import Shop


def call(client: Shop) -> int:
    order = client.field_old_name_removed.get("ord_1")
    return order.total
