from db import Line as Row, db
from shop import OrderLine, Shop
from shop.webhooks import Event
import shop
import shop as sp

# status of orders.get stays in a comment, and in a text.
LABEL = "order.status of client.orders.get"


def hit(client: Shop, id: str, lang: str) -> object:
    order = client.orders.fetch(id)
    again = (
        client.orders
        .fetch(id)
    )
    if (found := client.orders.fetch(id)).state == "open":
        return found.state
    for one in client.orders.list(language=lang):
        print(one.state, [line.cost for line in one.lines])
    page = client.orders.list(language="de")
    client.orders.create(item="cup", gift={"words": "Hello"})
    client.orders.create(item=wish(gift={"wish": "no"}))
    client.orders.remarks.add(id, text="x")
    client.orders.remarks.with_raw_response.add(id, text="x")
    client.orders.notes.with_raw_response.list(id)
    raw = client.orders.with_raw_response.fetch(id)
    return [order.state, again.state, page.data[0].state, order.lines[0].cost, raw]


async def typed(line: OrderLine, other: "OrderLine", bill: shop.Order | None, row: Row) -> int:
    assert bill is not None
    print(bill.state)
    return line.cost + other.cost + row.price


def handle(event: Event) -> object:
    if isinstance(event, shop.OrderPaidEvent):
        return event.data.amount
    return None


def match(event: Event) -> object:
    match event:
        case shop.OrderPaidEvent():
            return event.data.amount
        case Invoice():
            return event.data.amount
    return None


def told(client: Shop, id: str, job: object) -> object:
    match client.orders.fetch(id):
        case shop.Order(state="open", id=found):
            return found
        case shop.Order(state=other):
            return other
    match job:
        case Job(status="open"):
            return None


def foreign(client: Shop, id: str, rows: list[Row]) -> object:
    order = db.orders.find(id)
    other = db.items.get(id)
    db.log(lang="de", wish="x")
    client.notes.create(id, text="x")
    return [order.status, other.status, [row.status for row in rows], rows[0].status]


def aliased(client: sp.Shop, bill: sp.Order, event: object) -> sp.Order | None:
    print(bill.state)
    match event:
        case sp.OrderPaidEvent():
            return event.data.amount
        case sp.Order(state="open"):
            return event
    lines: list[sp.OrderLine] = []
    print(lines)
    return sp.Order(state="open")
