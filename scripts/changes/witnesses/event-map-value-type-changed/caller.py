from shop import EventMapValueTypeChangedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventMapValueTypeChangedPaidEvent):
        return None
    value: int = event.data.stock["cup"]
    return value
