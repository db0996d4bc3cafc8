from shop import Shop


def call(client: Shop) -> str:
    order = client.response_enum_introduced.get("ord_1")
    return order.state
