from shop import Shop


def call(client: Shop) -> str:
    order = client.request_enum_value_added.create(state="open")
    return order.id
