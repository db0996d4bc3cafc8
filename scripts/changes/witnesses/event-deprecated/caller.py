from shop import EventDeprecatedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    return event.data.total if isinstance(event, EventDeprecatedPaidEvent) else None
