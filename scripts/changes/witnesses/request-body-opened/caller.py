from shop import Shop


def call(client: Shop) -> str:
    order = client.request_body_opened.create(item="cup")
    return order.id
