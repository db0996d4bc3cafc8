from shop import RequestMapIntroducedCup, Shop


def call(client: Shop) -> str:
    order = client.request_map_introduced.create(cup=RequestMapIntroducedCup(size="big"))
    return order.id
