from shop import Shop


def call(client: Shop) -> str:
    order = client.request_body_added.create()
    return order.id
