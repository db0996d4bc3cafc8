from shop import Shop


def call(client: Shop) -> str | None:
    order = client.request_body_removed.create(item="cup")
    return order.item
