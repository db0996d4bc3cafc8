from shop import Shop


def call(client: Shop) -> str:
    order = client.request_enum_introduced.create(state="open")
    return order.id
