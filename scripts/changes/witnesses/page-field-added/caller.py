from shop import Shop


def call(client: Shop) -> list[str]:
    page = client.page_field_added.list()
    return [order.id for order in page.data]
