from shop import EventDocumentationChangedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    return event.data.total if isinstance(event, EventDocumentationChangedPaidEvent) else None
