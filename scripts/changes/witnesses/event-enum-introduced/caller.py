from shop import EventEnumIntroducedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventEnumIntroducedPaidEvent):
        return None
    value: str = event.data.state
    return value
