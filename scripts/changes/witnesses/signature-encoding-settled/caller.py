from shop import SignatureEncodingSettledPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    return event.data.total if isinstance(event, SignatureEncodingSettledPaidEvent) else None
