from shop import EventVariantRemovedGift, EventVariantRemovedPaidEvent
from shop.webhooks import Event


def handle(event: Event) -> object:
    if not isinstance(event, EventVariantRemovedPaidEvent):
        return None
    pay = event.data.pay
    return pay.code if isinstance(pay, EventVariantRemovedGift) else "other"
