from shop import Shop


def call(client: Shop) -> str:
    order = client.request_map_introduced.create(item="cup")
    return order.id
