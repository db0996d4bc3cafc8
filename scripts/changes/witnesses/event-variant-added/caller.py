from shop import EventVariantAddedCard, EventVariantAddedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventVariantAddedPaidEvent):
        return None
    pay = event.data.pay
    return pay.number if isinstance(pay, EventVariantAddedCard) else "other"
