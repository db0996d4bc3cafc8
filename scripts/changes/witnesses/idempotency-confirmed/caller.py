from shop import Shop


def call(client: Shop) -> bool | None:
    order = client.idempotency_confirmed.create(item="cup")
    return order.recognized
