from shop import EventFieldRemovedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    return event.data.total if isinstance(event, EventFieldRemovedPaidEvent) else None
