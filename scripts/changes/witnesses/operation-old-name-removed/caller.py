from shop import Shop


def call(client: Shop) -> str:
    order = client.operation_old_name_removed.get("ord_1", lang="de")
    return order.id
