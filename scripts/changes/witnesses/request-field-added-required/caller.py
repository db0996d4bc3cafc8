from shop import Shop


def call(client: Shop) -> str:
    order = client.request_field_added_required.create(item="cup")
    return order.id
