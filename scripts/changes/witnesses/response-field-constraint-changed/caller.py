from shop import Shop


def call(client: Shop) -> str:
    order = client.response_field_constraint_changed.get("ord_1")
    return order.note
