from shop import Shop, TypeDeprecated


def call(client: Shop) -> str | None:
    order: TypeDeprecated = client.type_deprecated.get("ord_1")
    return order.id if isinstance(order, TypeDeprecated) else None
