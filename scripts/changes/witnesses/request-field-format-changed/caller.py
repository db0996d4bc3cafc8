import datetime as dt

from shop import Shop


def call(client: Shop) -> str:
    order = client.request_field_format_changed.create(
        item="cup", due=dt.datetime(2026, 1, 2, tzinfo=dt.timezone.utc)
    )
    return order.id
