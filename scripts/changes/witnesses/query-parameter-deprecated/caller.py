from shop import Shop


def call(client: Shop) -> str | None:
    order = client.query_parameter_deprecated.get("ord_1", page=2)
    return order.note
