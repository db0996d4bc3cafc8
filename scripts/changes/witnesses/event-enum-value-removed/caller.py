from shop import EventEnumValueRemovedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventEnumValueRemovedPaidEvent):
        return None
    value: bool = event.data.state == "lost"
    return value
