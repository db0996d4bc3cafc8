from shop import Shop


def call(client: Shop) -> bool:
    order = client.response_enum_value_removed.get("ord_1")
    return order.state == "lost"
