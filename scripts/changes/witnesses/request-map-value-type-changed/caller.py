from shop import Shop


def call(client: Shop) -> str:
    order = client.request_map_value_type_changed.create(stock={"cup": 3})
    return order.id
