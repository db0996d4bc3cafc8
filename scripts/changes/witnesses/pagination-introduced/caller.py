from shop import PaginationIntroducedPage, Shop


def call(client: Shop) -> str | None:
    page: PaginationIntroducedPage = client.pagination_introduced.list()
    return page.next_cursor
