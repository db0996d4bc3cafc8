from shop import Shop


def call(client: Shop) -> str:
    order = client.request_enum_opened.create(state="open")
    return order.id
