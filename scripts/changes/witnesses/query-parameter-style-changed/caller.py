from shop import Shop


def call(client: Shop) -> str | None:
    order = client.query_parameter_style_changed.get("ord_1", tags=["a", "b"])
    return order.note
