from shop import Shop


def call(client: Shop) -> str | None:
    order = client.query_parameter_removed.get("ord_1", lang="de")
    return order.note
