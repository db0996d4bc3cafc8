from shop import Shop


def call(client: Shop) -> int | None:
    order = client.response_field_stopped_being_nullable.get("ord_1")
    return order.total
