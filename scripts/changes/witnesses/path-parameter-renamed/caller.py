from shop import Shop


def call(client: Shop) -> str:
    order = client.path_parameter_renamed.get("a")
    return order.id
