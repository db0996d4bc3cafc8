from shop import EventEnumOpenedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventEnumOpenedPaidEvent):
        return None
    value: bool = event.data.state == "open"
    return value
