from shop import Shop


def call(client: Shop) -> str:
    order = client.request_enum_value_renamed.create(state="open")
    return order.id
