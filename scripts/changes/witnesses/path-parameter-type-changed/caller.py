from shop import Shop


def call(client: Shop) -> str:
    order = client.path_parameter_type_changed.get("a")
    return order.id
