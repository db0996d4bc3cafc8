from shop import EventFieldBecameOptionalPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldBecameOptionalPaidEvent):
        return None
    value: int = event.data.total
    return value
