from shop import EventRenamedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    return event.data.total if isinstance(event, EventRenamedPaidEvent) else None
