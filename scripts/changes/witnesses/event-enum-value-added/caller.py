from shop import EventEnumValueAddedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventEnumValueAddedPaidEvent):
        return None
    value: bool = event.data.state == "open"
    return value
