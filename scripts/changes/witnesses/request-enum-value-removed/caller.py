from shop import Shop


def call(client: Shop) -> str:
    order = client.request_enum_value_removed.create(state="lost")
    return order.id
