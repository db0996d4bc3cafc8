from shop import Shop


def call(client: Shop) -> list[str]:
    page = client.page_field_changed.list()
    return [order.id for order in page.data]
