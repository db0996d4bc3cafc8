from shop import Shop


def call(client: Shop) -> str:
    order = client.request_body_type_changed.create(item="cup")
    return order.id
