import datetime as dt

from shop import EventFieldFormatChangedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldFormatChangedPaidEvent):
        return None
    value: dt.datetime = event.data.at
    return value
