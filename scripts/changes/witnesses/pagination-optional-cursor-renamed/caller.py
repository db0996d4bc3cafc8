from shop import Shop


def call(client: Shop) -> str | None:
    page = client.pagination_optional_cursor_renamed.list()
    return page.next_cursor
