from shop import Shop


def call(client: Shop) -> list[str]:
    return [order.id for order in client.pagination_removed.list()]
