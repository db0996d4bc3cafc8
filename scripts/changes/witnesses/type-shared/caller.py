from shop import Shop, TypeSharedGetResponse


def call(client: Shop) -> str | None:
    order: TypeSharedGetResponse = client.type_shared.get("ord_1")
    return order.id if isinstance(order, TypeSharedGetResponse) else None
