"""Pagination."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from .._generated.names import BaseError
from .call import Result, Steps, call, operation_of
from .decode import invalid
from .model import as_is
from .operation import PageFields
from .options import RequestArguments, Settings
from .response import HTTPResponse

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Trail:
    """A fetched page, and the steps that fetch the next one."""

    data: list[Any]
    next_cursor: str | None
    follow: Callable[[], Steps[Result[Trail]]]


def first_page(
    settings: Settings, path: str, read: Callable[[Any], Any], arguments: RequestArguments
) -> Steps[Result[Trail]]:
    """Fetch the first page of a list."""
    fields = operation_of("GET", path, arguments).page
    if not fields:
        raise BaseError(f"GET {path} is not paged.")
    query = arguments.get("query", {})
    start = query.get(fields.cursor_param)
    # The number of the page that each cursor leads to. A cursor that leads back never ends.
    numbers: dict[object, int] = {start: 0}

    def fetch(cursor: object, number: int) -> Steps[Result[Trail]]:
        changed: RequestArguments = {**arguments, "query": {**query, fields.cursor_param: cursor}}
        result = yield from call(settings, "GET", path, as_is, changed)
        items, following = _envelope(result.data, fields, result.response, settings)

        def follow() -> Steps[Result[Trail]]:
            if numbers.get(following, number + 1) <= number:
                raise invalid("the next cursor led to an earlier page", result.response, settings)
            numbers[following] = number + 1
            return (yield from fetch(following, number + 1))

        page = Trail([read(item) for item in items], following, follow)
        return Result(page, result.response)

    return fetch(start, 0)


def _envelope(
    body: Any, fields: PageFields, response: HTTPResponse, settings: Settings
) -> tuple[list[Any], str | None]:
    """Read the body of a page. A missing list counts as empty."""
    items = body.get(fields.items) if isinstance(body, dict) else body
    if not isinstance(body, dict) or not isinstance(items, list | None):
        raise invalid(f'no list under "{fields.items}"', response, settings)
    following = body.get(fields.next_cursor)
    return items or [], str(following) if following else None


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of a list. Iterating yields its items, then those of all following pages."""

    data: list[Item]
    """The items of this page. May be empty even if more pages follow."""
    next_cursor: str | None
    """The cursor of the next page. None on the last page."""
    _fetch: Callable[[], Page[Item]] = field(repr=False, compare=False)

    def next_page(self) -> Page[Item] | None:
        """Fetch the next page with the same filters and options. Returns None on the last page.

        Raises InvalidResponseError for a cursor that leads back to an earlier page.
        """
        return None if self.next_cursor is None else self._fetch()

    def __iter__(self) -> Iterator[Item]:
        page: Page[Item] | None = self
        while page:
            yield from page.data
            page = page.next_page()


@dataclass(frozen=True, slots=True)
class AsyncPage(Generic[Item]):
    """One page of a list. Iterating yields its items, then those of all following pages."""

    data: list[Item]
    """The items of this page. May be empty even if more pages follow."""
    next_cursor: str | None
    """The cursor of the next page. None on the last page."""
    _fetch: Callable[[], Awaitable[AsyncPage[Item]]] = field(repr=False, compare=False)

    async def next_page(self) -> AsyncPage[Item] | None:
        """Fetch the next page with the same filters and options. Returns None on the last page.

        Raises InvalidResponseError for a cursor that leads back to an earlier page.
        """
        return None if self.next_cursor is None else await self._fetch()

    async def __aiter__(self) -> AsyncIterator[Item]:
        page: AsyncPage[Item] | None = self
        while page:
            for item in page.data:
                yield item
            page = await page.next_page()


class AsyncPages(Generic[Item]):
    """A list that is not fetched yet. Await it for the first page, or iterate over all items."""

    __slots__ = ("_first",)

    def __init__(self, first: Callable[[], Awaitable[AsyncPage[Item]]]) -> None:
        self._first = first

    def __await__(self) -> Generator[Any, None, AsyncPage[Item]]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for item in await self._first():
            yield item
