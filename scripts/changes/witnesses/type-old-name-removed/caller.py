from shop import Shop, TypeOldNameRemovedOrder


def call(client: Shop) -> str | None:
    order: TypeOldNameRemovedOrder = client.type_old_name_removed.get("ord_1")
    return order.id if isinstance(order, TypeOldNameRemovedOrder) else None
