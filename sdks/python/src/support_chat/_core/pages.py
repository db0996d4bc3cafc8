"""Pagination."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from .._generated.names import BaseError
from .call import Result, Steps, perform
from .decode import invalid
from .draft import operation_of
from .hints import rules_of
from .mismatch import Context, check
from .model import Model, as_is
from .operation import PageFields
from .options import RequestArguments, Settings
from .response import HTTPResponse
from .unset import UNSET

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Trail:
    """A fetched page, and the steps that fetch the next one."""

    data: list[Any]
    next_cursor: str | None
    follow: Callable[[], Steps[Result[Trail]]]


def first_page(
    client: Settings,
    path: str,
    read: Callable[[Any], Any],
    page: type[Model] | None,
    arguments: RequestArguments,
) -> Steps[Result[Trail]]:
    """Fetch the first page of a list."""
    settings = client.for_call(arguments)
    fields = operation_of("GET", path, arguments).page
    if not fields:
        raise BaseError(f"GET {path} is not paged.")
    param = fields.cursor_param
    query = dict(arguments.get("query") or {})
    extra = dict(arguments.get("extra_query") or {})
    # A cursor by another way is the first one too, and no later page may repeat it.
    start = extra.pop(param, query.get(param))
    if start is None or start is UNSET:
        start = settings.default_query.get(param)
    # The number of the page that each cursor leads to. A cursor that leads back never ends.
    numbers: dict[object, int] = {start: 0}

    def fetch(cursor: object, number: int) -> Steps[Result[Trail]]:
        changed: RequestArguments = {
            **arguments,
            "query": {**query, param: cursor},
            "extra_query": extra,
        }
        result = yield from perform(settings, "GET", path, as_is, changed)
        context = Context(settings, "GET", path, result.response)
        whole = page and page.read(result.data)
        check(whole, context)
        items, following = _envelope(result.data, fields, result.response, settings)
        if page:
            data = getattr(whole, rules_of(page).attribute(fields.items))
        else:
            data = [read(item) for item in items]
            check(data, context)

        def follow() -> Steps[Result[Trail]]:
            if numbers.get(following, number + 1) <= number:
                raise invalid("the next cursor led to an earlier page", result.response, settings)
            numbers[following] = number + 1
            return (yield from fetch(following, number + 1))

        return Result(Trail(data, following, follow), result.response)

    return fetch(start, 0)


def _envelope(
    body: Any, fields: PageFields, response: HTTPResponse, settings: Settings
) -> tuple[list[Any], str | None]:
    """Read the body of a page."""
    items = body.get(fields.items) if isinstance(body, dict) else None
    if not isinstance(items, list):
        raise invalid(f'no list under "{fields.items}"', response, settings)
    following = body.get(fields.next_cursor)
    if isinstance(following, float) and following.is_integer():
        following = int(following)  # JSON does not tell 5 from 5.0
    if isinstance(following, bool) or not isinstance(following, str | int | None):
        raise invalid("the next cursor is neither a string nor an integer", response, settings)
    # Services with numeric cursors end their lists with 0.
    return items, str(following) if following else None


class _Beside:
    """What a page has beside its fields, where no serializer, comparison or copy sees it."""

    __slots__ = ("__weakref__", "_fetch", "_request_id")

    @property
    def request_id(self) -> str | None:
        """Identifies the request in the service's logs. None for a copy."""
        return getattr(self, "_request_id", None)

    def _follow(self) -> Any:
        fetch = getattr(self, "_fetch", None)
        if fetch is None:
            raise BaseError("A copied page has no client to fetch the next one with.")
        return fetch()


@dataclass(frozen=True, slots=True)
class Page(_Beside, Generic[Item]):
    """One page of a list. Iterating yields its items, then those of all following pages."""

    data: list[Item]
    """The items of this page. May be empty even if more pages follow."""
    next_cursor: str | None
    """The cursor of the next page. None on the last page."""

    def next_page(self) -> Page[Item] | None:
        """Fetch the next page with the same filters and options. Returns None on the last page.

        Raises InvalidResponseError for a cursor that leads back to an earlier page.
        """
        return None if self.next_cursor is None else cast("Page[Item]", self._follow())

    def iter_pages(self) -> Iterator[Page[Item]]:
        """Iterate over this page and all following ones."""
        page: Page[Item] | None = self
        while page:
            yield page
            page = page.next_page()

    def to_list(self, *, limit: int | None = None) -> list[Item]:
        """Return the items of this page and all following ones.

        Args:
            limit: The maximum number of items. No page after them is fetched.
        """
        _check_limit(limit)
        items: list[Item] = []
        for page in self.iter_pages():
            items += page.data
            if limit is not None and len(items) >= limit:
                return items[:limit]
        return items

    def __iter__(self) -> Iterator[Item]:
        for page in self.iter_pages():
            yield from page.data


@dataclass(frozen=True, slots=True)
class AsyncPage(_Beside, Generic[Item]):
    """One page of a list. Iterating yields its items, then those of all following pages."""

    data: list[Item]
    """The items of this page. May be empty even if more pages follow."""
    next_cursor: str | None
    """The cursor of the next page. None on the last page."""

    async def next_page(self) -> AsyncPage[Item] | None:
        """Fetch the next page with the same filters and options. Returns None on the last page.

        Raises InvalidResponseError for a cursor that leads back to an earlier page.
        """
        return None if self.next_cursor is None else cast("AsyncPage[Item]", await self._follow())

    def iter_pages(self) -> AsyncIterator[AsyncPage[Item]]:
        """Iterate over this page and all following ones."""

        async def first() -> AsyncPage[Item]:
            return self

        return _PageIterator(first)

    async def to_list(self, *, limit: int | None = None) -> list[Item]:
        """Return the items of this page and all following ones.

        Args:
            limit: The maximum number of items. No page after them is fetched.
        """
        _check_limit(limit)
        items: list[Item] = []
        async for page in self.iter_pages():
            items += page.data
            if limit is not None and len(items) >= limit:
                return items[:limit]
        return items

    def __aiter__(self) -> AsyncIterator[Item]:
        return _ItemIterator(self.iter_pages())


class _PageIterator(Generic[Item]):
    """Iterates over pages. No async generator, because event loops would have to end one that is left."""

    __slots__ = ("_next",)

    def __init__(self, first: Callable[[], Awaitable[AsyncPage[Item] | None]]) -> None:
        self._next = first

    def __aiter__(self) -> _PageIterator[Item]:
        return self

    async def __anext__(self) -> AsyncPage[Item]:
        page = await self._next()
        if page is None:
            raise StopAsyncIteration
        self._next = page.next_page
        return page


class _ItemIterator(Generic[Item]):
    """Iterates over the items of pages."""

    __slots__ = ("_items", "_pages")

    def __init__(self, pages: AsyncIterator[AsyncPage[Item]]) -> None:
        self._pages = pages
        self._items: Iterator[Item] = iter(())

    def __aiter__(self) -> _ItemIterator[Item]:
        return self

    async def __anext__(self) -> Item:
        while True:
            for item in self._items:
                return item
            self._items = iter((await anext(self._pages)).data)


def _check_limit(limit: int | None) -> None:
    """Raise the base error for a number of items that no list has."""
    if limit is not None and not (isinstance(limit, int) and limit >= 0):
        raise BaseError("limit must be a whole number, 0 or more.")


AnyPage = TypeVar("AnyPage", Page[Any], AsyncPage[Any])


def page_of(
    kind: type[AnyPage], trail: Trail, fetch: Callable[[], Any], response: HTTPResponse
) -> AnyPage:
    """Return a page that fetches the next one with `fetch`."""
    page = kind(trail.data, trail.next_cursor)
    object.__setattr__(page, "_fetch", fetch)
    object.__setattr__(page, "_request_id", response.request_id)
    return page


class AsyncPages(Generic[Item]):
    """A list that is not fetched yet. Await it for the first page, or iterate over all items."""

    __slots__ = ("_first",)

    def __init__(self, first: Callable[[], Awaitable[AsyncPage[Item]]]) -> None:
        self._first = first

    def __await__(self) -> Generator[Any, None, AsyncPage[Item]]:
        return self._first().__await__()

    def iter_pages(self) -> AsyncIterator[AsyncPage[Item]]:
        """Iterate over all pages."""
        return _PageIterator(self._first)

    async def to_list(self, *, limit: int | None = None) -> list[Item]:
        """Return the items of all pages.

        Args:
            limit: The maximum number of items. No page after them is fetched, and none for 0.
        """
        _check_limit(limit)
        return [] if limit == 0 else await (await self._first()).to_list(limit=limit)

    def __aiter__(self) -> AsyncIterator[Item]:
        return _ItemIterator(self.iter_pages())
