from shop import Shop


def call(client: Shop) -> str:
    order = client.request_body_became_required.create()
    return order.id
