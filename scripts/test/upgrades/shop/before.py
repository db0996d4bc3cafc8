from db import Line as Row, db
from shop import Line, Shop
from shop.webhooks import Event
import shop
import shop as sp

# status of orders.get stays in a comment, and in a text.
LABEL = "order.status of client.orders.get"


def hit(client: Shop, id: str, lang: str) -> object:
    order = client.orders.get(id)
    again = (
        client.orders
        .get(id)
    )
    if (found := client.orders.get(id)).status == "open":
        return found.status
    for one in client.orders.list(lang=lang):
        print(one.status, [line.price for line in one.lines])
    page = client.orders.list(lang="de")
    client.orders.create(item="cup", gift={"wish": "Hello"})
    client.orders.create(item=wish(gift={"wish": "no"}))
    client.orders.notes.create(id, text="x")
    client.orders.notes.with_raw_response.create(id, text="x")
    client.orders.notes.with_raw_response.list(id)
    raw = client.orders.with_raw_response.get(id)
    return [order.status, again.status, page.data[0].status, order.lines[0].price, raw]


async def typed(line: Line, other: "Line", bill: shop.Order | None, row: Row) -> int:
    assert bill is not None
    print(bill.status)
    return line.price + other.price + row.price


def handle(event: Event) -> object:
    if isinstance(event, shop.OrderPaidEvent):
        return event.data.total
    return None


def match(event: Event) -> object:
    match event:
        case shop.OrderPaidEvent():
            return event.data.total
        case Invoice():
            return event.data.amount
    return None


def told(client: Shop, id: str, job: object) -> object:
    match client.orders.get(id):
        case shop.Order(status="open", id=found):
            return found
        case shop.Order(status=other):
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
    print(bill.status)
    match event:
        case sp.OrderPaidEvent():
            return event.data.total
        case sp.Order(status="open"):
            return event
    lines: list[sp.Line] = []
    print(lines)
    return sp.Order(status="open")
