from shop import Shop


def call(client: Shop) -> str:
    order = client.path_parameters_reordered.items.get("s_1", "o_1")
    return order.id
