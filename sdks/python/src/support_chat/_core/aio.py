"""Calls that are awaited, on asyncio or trio."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing, closing
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, overload

import httpx2

from .._generated import policy
from .._generated.names import BaseError
from . import clock
from .call import Draft, Result, Steps, call
from .cookies import no_cookies
from .failure import failed, timed_out
from .leftovers import has_leftovers
from .model import as_is
from .options import resolve_options
from .pages import AsyncPage, AsyncPages, Trail, first_page
from .raw import raw_response
from .reply import Reply

if TYPE_CHECKING:
    import logging
    import ssl
    from types import TracebackType

    from typing_extensions import Self, Unpack

    from .options import ClientOptions, RequestArguments
    from .trace import Trace

T = TypeVar("T")


@cache
def _trust() -> ssl.SSLContext:
    """Read the trusted certificates, once for all clients: it takes longer than many calls."""
    return httpx2.create_ssl_context()


class AsyncClient:
    """What every asynchronous client does, whatever its API is.

    It belongs to one event loop. Close it, or use it as a context manager, so that its connections
    are closed.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = policy.TIMEOUT_MS / 1_000,
        max_retries: int = policy.RETRIES_MAX,
        http_client: httpx2.AsyncClient | None = None,
        logger: logging.Logger | None = None,
        trace: Trace | None = None,
    ) -> None:
        """Set up a client.

        Args:
            api_key: The key that every request carries; by default the environment's.
            base_url: Where the API is, without its version prefix; by default the environment's.
            timeout: Seconds that one attempt may take, from connecting to the end of the body.
            max_retries: How many times a failed request is repeated, where repeating is safe.
            http_client: Sends the requests, for proxies, certificates and tests. It is not closed
                with this client.
            logger: Told of every attempt; by default the one named like this package. Keys and
                cookies are redacted.
            trace: Called around every attempt, for spans and metrics.

        Raises the base error with the outcome `not_sent` for an option that cannot be used.
        """
        self._settings = resolve_options(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            logger=logger,
            trace=trace,
        )
        self._owns_http = http_client is None
        self._http = http_client or httpx2.AsyncClient(verify=_trust(), cookies=no_cookies())

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._settings.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections, also those of clones."""
        if self._owns_http:
            await self._http.aclose()

    def with_options(self, **options: Unpack[ClientOptions]) -> Self:
        """Make a client like this one but for the given options; they share their connections."""
        settings = self._settings
        same: Any = {field.name: getattr(settings, field.name) for field in fields(settings)}
        return type(self)(**{**same, **options}, http_client=self._http)

    @overload
    async def request(
        self, method: str, path: str, **arguments: Unpack[RequestArguments]
    ) -> Any: ...
    @overload
    async def request(
        self,
        method: str,
        path: str,
        read: Callable[[Any], T],
        **arguments: Unpack[RequestArguments],
    ) -> T: ...
    async def request(
        self,
        method: str,
        path: str,
        read: Callable[[Any], Any] = as_is,
        **arguments: Unpack[RequestArguments],
    ) -> Any:
        """Call any path, also one that this version does not know; the resources do the same.

        Args:
            method: In capitals.
            path: With its placeholders, like `/v1/things/{id}`; `path_params` fills them.
            read: Makes from parsed JSON what is returned.
            **arguments: What the request is made from, and the options of any call.
        """
        return self._give(await self._run(call(self._settings, method, path, read, arguments)))

    def paginate(
        self, path: str, read: Callable[[Any], T], **arguments: Unpack[RequestArguments]
    ) -> AsyncPages[T]:
        """Give any list that comes page by page; nothing is sent yet.

        Args:
            path: With its placeholders; `path_params` fills them.
            read: Makes an item from parsed JSON.
            **arguments: As for `request`. For a list that the contract does not have,
                `operation.page` says how to page.
        """

        async def first() -> AsyncPage[T]:
            result = await self._run(first_page(self._settings, path, read, arguments))
            page: AsyncPage[T] = self._give(Result(self._page(result.data), result.reply))
            return page

        return AsyncPages(first)

    def _page(self, trail: Trail) -> AsyncPage[Any]:
        async def fetch() -> AsyncPage[Any]:
            return self._page((await self._run(trail.follow())).data)

        return AsyncPage(trail.data, trail.next_cursor, fetch)

    def _give(self, result: Result[Any]) -> Any:
        """Hand a result out."""
        return result.data

    async def _run(self, steps: Steps[T]) -> T:
        """Do what a call asks for, step by step."""
        with closing(steps):
            came: Reply | BaseError | None = None
            while True:
                try:
                    step = steps.send(came)
                except StopIteration as end:
                    returned: T = end.value
                    return returned
                if isinstance(step, Draft):
                    came = await _exchange(self._http, step)
                else:
                    came = None
                    await clock.sleep_async(step)


class _KeepingClient(AsyncClient):
    """A client that gives the answers together with their data."""

    def __init__(self, client: AsyncClient) -> None:
        self._settings = client._settings
        self._http = client._http
        self._owns_http = False

    def _give(self, result: Result[Any]) -> Any:
        return raw_response(result)


def keep_answers(client: AsyncClient) -> AsyncClient:
    """Give a client whose calls come to a `RawResponse`."""
    return _KeepingClient(client)


async def _exchange(http: httpx2.AsyncClient, draft: Draft) -> Reply | BaseError:
    """Send a request once and read the whole body, within the time-out."""
    import anyio  # loaded by those who use it: it takes as long as the rest of the client

    response: httpx2.Response | None = None
    try:
        with anyio.move_on_after(draft.timeout):
            request = draft.request(http.headers, None)
            response = await http.send(request, stream=True, follow_redirects=False)
            async with aclosing(response):
                pieces = [piece async for piece in response.aiter_bytes()]
                if has_leftovers(response.stream):
                    await response.extensions["network_stream"].aclose()
            return draft.reply(response, b"".join(pieces))
        return timed_out(draft)
    except (httpx2.RequestError, httpx2.InvalidURL, OSError) as error:
        return failed(draft, response, error)
