from shop import EventHeaderRenamedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    return event.data.total if isinstance(event, EventHeaderRenamedPaidEvent) else None
