from shop import Shop


def call(client: Shop) -> list[str]:
    page = client.pagination_limit_parameter_renamed.list(limit=50)
    return [order.id for order in page.data]
