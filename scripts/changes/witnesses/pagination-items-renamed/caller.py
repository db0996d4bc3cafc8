from shop import Shop


def call(client: Shop) -> list[str]:
    page = client.pagination_items_renamed.list()
    return [order.id for order in page.data]
