from shop import Shop


def call(client: Shop) -> bool:
    order = client.response_enum_value_added.get("ord_1")
    return order.state == "open"
