from shop import Shop


def call(client: Shop) -> str:
    order = client.required_order_changed.create(item="cup", quantity=2)
    return order.id
