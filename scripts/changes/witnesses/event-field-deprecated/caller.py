from shop import EventFieldDeprecatedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventFieldDeprecatedPaidEvent):
        return None
    value: int = event.data.total
    return value
