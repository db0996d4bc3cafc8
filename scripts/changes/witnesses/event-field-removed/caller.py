from shop import EventFieldRemovedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldRemovedPaidEvent):
        return None
    value: int = event.data.total
    return value
