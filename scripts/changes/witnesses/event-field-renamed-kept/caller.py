from shop import EventFieldRenamedKeptPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldRenamedKeptPaidEvent):
        return None
    value: int = event.data.total
    return value
