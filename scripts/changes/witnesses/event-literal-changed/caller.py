from shop import EventLiteralChangedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventLiteralChangedPaidEvent):
        return None
    value: str = event.data.kind
    return value
