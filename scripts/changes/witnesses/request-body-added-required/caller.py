from shop import Shop


def call(client: Shop) -> str:
    order = client.request_body_added_required.create()
    return order.id
