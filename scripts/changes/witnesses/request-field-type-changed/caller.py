from shop import Shop


def call(client: Shop) -> str:
    order = client.request_field_type_changed.create(item="cup", quantity=2)
    return order.id
