from shop import Shop


def call(client: Shop) -> str:
    order = client.request_literal_changed.create(kind="sale", item="cup")
    return order.id
