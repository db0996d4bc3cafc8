from shop import Shop, TypeRenamedOrder


def call(client: Shop) -> str | None:
    order: TypeRenamedOrder = client.type_renamed.get("ord_1")
    return order.id if isinstance(order, TypeRenamedOrder) else None
