from shop import SignatureHeaderRenamedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    return event.data.total if isinstance(event, SignatureHeaderRenamedPaidEvent) else None
