from shop import Shop


def call(client: Shop) -> str | None:
    order = client.header_parameter_removed.get("ord_1", x_region="eu")
    return order.note
