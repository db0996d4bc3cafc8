from shop import Shop


def call(client: Shop) -> str:
    order = client.path_parameter_removed.get("s", "a")
    return order.id
