from shop import EventFieldTypeChangedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldTypeChangedPaidEvent):
        return None
    value: int = event.data.total
    return value
