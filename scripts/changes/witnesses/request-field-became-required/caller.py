from shop import Shop


def call(client: Shop) -> str:
    order = client.request_field_became_required.create(item="cup")
    return order.id
