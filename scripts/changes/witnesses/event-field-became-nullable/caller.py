from shop import EventFieldBecameNullablePaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldBecameNullablePaidEvent):
        return None
    value: int = event.data.total
    return value
