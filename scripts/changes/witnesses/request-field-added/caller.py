from shop import Shop


def call(client: Shop) -> str:
    order = client.request_field_added.create(item="cup")
    return order.id
