from shop import Shop


def call(client: Shop) -> str | None:
    page = client.pagination_cursor_renamed.list()
    return page.next_cursor
