from shop import Shop, TypeInlinedOrder


def call(client: Shop) -> str | None:
    order: TypeInlinedOrder = client.type_inlined.get("ord_1")
    return order.id if isinstance(order, TypeInlinedOrder) else None
