from shop import EventAddedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    return event.data.total if isinstance(event, EventAddedPaidEvent) else None
