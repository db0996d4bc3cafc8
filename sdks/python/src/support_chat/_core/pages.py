"""Lists that come page by page."""

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
from .reply import Reply

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Trail:
    """A page that was fetched, and the way to the next one."""

    data: list[Any]
    next_cursor: str | None
    follow: Callable[[], Steps[Result[Trail]]]


def first_page(
    settings: Settings, path: str, read: Callable[[Any], Any], arguments: RequestArguments
) -> Steps[Result[Trail]]:
    """Fetch the page that a list begins with."""
    fields = operation_of("GET", path, arguments).page
    if not fields:
        raise BaseError(f"GET {path} is not paged.")
    query = arguments.get("query", {})
    start = query.get(fields.cursor_param)
    # The number of the page that each cursor led to; one that leads back would never end.
    numbers: dict[object, int] = {start: 0}

    def fetch(cursor: object, number: int) -> Steps[Result[Trail]]:
        changed: RequestArguments = {**arguments, "query": {**query, fields.cursor_param: cursor}}
        result = yield from call(settings, "GET", path, as_is, changed)
        items, following = _envelope(result.data, fields, result.reply, settings)

        def follow() -> Steps[Result[Trail]]:
            if numbers.get(following, number + 1) <= number:
                raise invalid("the next cursor led to an earlier page", result.reply, settings)
            numbers[following] = number + 1
            return (yield from fetch(following, number + 1))

        page = Trail([read(item) for item in items], following, follow)
        return Result(page, result.reply)

    return fetch(start, 0)


def _envelope(
    body: Any, fields: PageFields, reply: Reply, settings: Settings
) -> tuple[list[Any], str | None]:
    """Read what a page's body holds. A missing list is an empty one."""
    items = body.get(fields.items) if isinstance(body, dict) else body
    if not isinstance(body, dict) or not isinstance(items, list | None):
        raise invalid(f'no list under "{fields.items}"', reply, settings)
    following = body.get(fields.next_cursor)
    return items or [], str(following) if following else None


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of a list. Iterating goes over its items and those of all pages that follow."""

    data: list[Item]
    """The items of this page; it may be empty although others follow."""
    next_cursor: str | None
    """Where the next page begins; None on the last one."""
    _fetch: Callable[[], Page[Item]] = field(repr=False, compare=False)

    def next_page(self) -> Page[Item] | None:
        """Fetch the next page, with the same filters and options; None on the last one.

        Raises InvalidResponseError for a cursor that led to an earlier page, which would never end.
        """
        return None if self.next_cursor is None else self._fetch()

    def __iter__(self) -> Iterator[Item]:
        page: Page[Item] | None = self
        while page:
            yield from page.data
            page = page.next_page()


@dataclass(frozen=True, slots=True)
class AsyncPage(Generic[Item]):
    """One page of a list. Iterating goes over its items and those of all pages that follow."""

    data: list[Item]
    """The items of this page; it may be empty although others follow."""
    next_cursor: str | None
    """Where the next page begins; None on the last one."""
    _fetch: Callable[[], Awaitable[AsyncPage[Item]]] = field(repr=False, compare=False)

    async def next_page(self) -> AsyncPage[Item] | None:
        """Fetch the next page, with the same filters and options; None on the last one.

        Raises InvalidResponseError for a cursor that led to an earlier page, which would never end.
        """
        return None if self.next_cursor is None else await self._fetch()

    async def __aiter__(self) -> AsyncIterator[Item]:
        page: AsyncPage[Item] | None = self
        while page:
            for item in page.data:
                yield item
            page = await page.next_page()


class AsyncPages(Generic[Item]):
    """A list that is not fetched yet: await it for its first page, or iterate over all items."""

    __slots__ = ("_first",)

    def __init__(self, first: Callable[[], Awaitable[AsyncPage[Item]]]) -> None:
        self._first = first

    def __await__(self) -> Generator[Any, None, AsyncPage[Item]]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for item in await self._first():
            yield item
