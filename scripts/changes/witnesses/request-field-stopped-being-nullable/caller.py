from shop import Shop


def call(client: Shop) -> str:
    order = client.request_field_stopped_being_nullable.create(item="cup", quantity=None)
    return order.id
