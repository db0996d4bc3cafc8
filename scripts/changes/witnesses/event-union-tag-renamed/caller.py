from shop import EventUnionTagRenamedCard, EventUnionTagRenamedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventUnionTagRenamedPaidEvent):
        return None
    pay = event.data.pay
    return pay.number if isinstance(pay, EventUnionTagRenamedCard) else "other"
