from shop import Shop


def call(client: Shop) -> str | None:
    order = client.header_parameter_deprecated.get("ord_1", x_level=5)
    return order.note
