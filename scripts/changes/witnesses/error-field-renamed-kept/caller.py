from shop import APIError, Shop


def call(client: Shop) -> object:
    try:
        client.error_field_renamed_kept.get("ord_1", page=10)
    except APIError as error:
        if error.problem is None:
            return None
        value: str = error.problem.detail
        return value
    return "accepted"
