from shop import EventEnumValueRenamedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventEnumValueRenamedPaidEvent):
        return None
    value: bool = event.data.state == "open"
    return value
