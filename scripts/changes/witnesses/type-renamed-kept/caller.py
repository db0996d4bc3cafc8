from shop import Shop, TypeRenamedKeptOrder


def call(client: Shop) -> str | None:
    order: TypeRenamedKeptOrder = client.type_renamed_kept.get("ord_1")
    return order.id if isinstance(order, TypeRenamedKeptOrder) else None
