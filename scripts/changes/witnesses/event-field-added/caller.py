from shop import EventFieldAddedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldAddedPaidEvent):
        return None
    value: int = event.data.total
    return value
