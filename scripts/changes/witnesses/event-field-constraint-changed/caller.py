from shop import EventFieldConstraintChangedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldConstraintChangedPaidEvent):
        return None
    value: str = event.data.note
    return value
