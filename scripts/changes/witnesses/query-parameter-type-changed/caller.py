from shop import Shop


def call(client: Shop) -> str | None:
    order = client.query_parameter_type_changed.get("ord_1", lang="de")
    return order.note
