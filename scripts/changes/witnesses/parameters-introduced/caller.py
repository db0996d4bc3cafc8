from shop import Shop


def call(client: Shop) -> str | None:
    order = client.parameters_introduced.get("ord_1")
    return order.note
