from shop import Shop


def call(client: Shop) -> str:
    order = client.operation_moved_kept.get("ord_1", lang="de")
    return order.id
