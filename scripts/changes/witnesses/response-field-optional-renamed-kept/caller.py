from shop import Shop


def call(client: Shop) -> str | None:
    order = client.response_field_optional_renamed_kept.get("ord_1")
    return order.note
