from shop import Shop


def call(client: Shop) -> str | None:
    order = client.request_field_default_changed.create(item="cup")
    return order.colour
