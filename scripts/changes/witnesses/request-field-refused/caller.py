from shop import Shop


def call(client: Shop) -> str:
    order = client.request_field_refused.create(item="cup", note="Hello")
    return order.id
