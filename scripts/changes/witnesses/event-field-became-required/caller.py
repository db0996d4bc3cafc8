from shop import EventFieldBecameRequiredPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldBecameRequiredPaidEvent):
        return None
    value: str | None = event.data.note
    return value
