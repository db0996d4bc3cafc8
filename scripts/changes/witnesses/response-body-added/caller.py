from shop import Shop


def call(client: Shop) -> str:
    client.response_body_added.delete("ord_1")
    return "deleted"
