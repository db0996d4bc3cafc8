from shop import Shop


def call(client: Shop) -> str | None:
    order = client.parameters_reordered.get("ord_1", lang="de", page=2)
    return order.note
