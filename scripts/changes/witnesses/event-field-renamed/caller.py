from shop import EventFieldRenamedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldRenamedPaidEvent):
        return None
    value: int = event.data.total
    return value
