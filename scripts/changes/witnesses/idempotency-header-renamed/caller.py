from shop import Shop


def call(client: Shop) -> bool | None:
    order = client.idempotency_header_renamed.create(item="cup")
    return order.recognized
