from shop import EventFieldStoppedBeingNullablePaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldStoppedBeingNullablePaidEvent):
        return None
    value: int | None = event.data.total
    return value
