from shop import EventUnionTagValueChangedCard, EventUnionTagValueChangedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventUnionTagValueChangedPaidEvent):
        return None
    pay = event.data.pay
    return pay.number if isinstance(pay, EventUnionTagValueChangedCard) else "other"
