from shop import Shop


def call(client: Shop) -> str:
    order = client.path_parameter_loosened.get("ab")
    return order.id
