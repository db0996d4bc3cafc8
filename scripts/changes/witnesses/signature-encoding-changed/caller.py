from shop import SignatureEncodingChangedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    return event.data.total if isinstance(event, SignatureEncodingChangedPaidEvent) else None
