from shop import Shop


def call(client: Shop) -> str | None:
    order = client.header_parameter_default_changed.get("ord_1", page=2)
    return order.note
