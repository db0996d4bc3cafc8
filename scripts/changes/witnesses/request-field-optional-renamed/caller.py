from shop import Shop


def call(client: Shop) -> str | None:
    order = client.request_field_optional_renamed.create(item="cup", note="Hello")
    return order.note
