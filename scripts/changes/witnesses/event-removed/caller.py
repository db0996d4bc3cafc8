from shop import EventRemovedRefundedEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    return event.data.total if isinstance(event, EventRemovedRefundedEvent) else None
