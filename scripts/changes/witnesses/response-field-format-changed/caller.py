import datetime as dt

from shop import Shop


def call(client: Shop) -> dt.datetime:
    order = client.response_field_format_changed.get("ord_1")
    return order.at
