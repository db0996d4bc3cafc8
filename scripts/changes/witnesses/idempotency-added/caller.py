from shop import Shop


def call(client: Shop) -> bool | None:
    order = client.idempotency_added.create(item="cup")
    return order.recognized
