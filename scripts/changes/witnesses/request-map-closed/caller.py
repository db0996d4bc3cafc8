from shop import RequestMapClosedParams, Shop


def call(client: Shop) -> str:
    order = client.request_map_closed.create(
        body=RequestMapClosedParams.from_dict({"item": "cup", "colour": "red"})
    )
    return order.id
