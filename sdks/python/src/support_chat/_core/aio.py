"""The asynchronous client, on asyncio or trio."""

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
from .response import HTTPResponse

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
    """Read the trusted certificates once for all clients, because that is slow."""
    return httpx2.create_ssl_context()


class AsyncClient:
    """The base of every asynchronous client.

    It belongs to one event loop. Close it, or use it as a context manager, to close its
    connections.
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
        """Create a client.

        Args:
            api_key: The API key. Defaults to the environment variable.
            base_url: The address of the API, without the version prefix. Defaults to the
                environment variable.
            timeout: The limit for one attempt in seconds, from connecting to the end of the body.
            max_retries: The maximum number of retries of a failed request, where a retry is safe.
            http_client: Sends the requests, for proxies, certificates and tests. This client does not
                close it.
            logger: Logs every attempt. Defaults to the logger with the name of this package. Keys
                and cookies are redacted.
            trace: A hook around every attempt, for spans and metrics.

        Raises the base error with the outcome `not_sent` for an invalid option.
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
        """Close all connections, including those of clones."""
        if self._owns_http:
            await self._http.aclose()

    def with_options(self, **options: Unpack[ClientOptions]) -> Self:
        """Return a client with other options that shares the connections of this one."""
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
        """Call any path, including one that this version does not know.

        Args:
            method: The HTTP method in capitals.
            path: The path with placeholders, such as `/v1/things/{id}`. `path_params` fills them.
            read: Converts the parsed JSON into the return value.
            **arguments: The parts of the request, and the options of the call.
        """
        return self._give(await self._run(call(self._settings, method, path, read, arguments)))

    def paginate(
        self, path: str, read: Callable[[Any], T], **arguments: Unpack[RequestArguments]
    ) -> AsyncPages[T]:
        """Return any list that is paged, without sending a request yet.

        Args:
            path: The path with placeholders. `path_params` fills them.
            read: Converts parsed JSON into an item.
            **arguments: As for `request`. For a list that is not in the contract,
                `operation.page` describes the pagination.
        """

        async def first() -> AsyncPage[T]:
            result = await self._run(first_page(self._settings, path, read, arguments))
            page: AsyncPage[T] = self._give(Result(self._page(result.data), result.response))
            return page

        return AsyncPages(first)

    def _page(self, trail: Trail) -> AsyncPage[Any]:
        async def fetch() -> AsyncPage[Any]:
            return self._page((await self._run(trail.follow())).data)

        return AsyncPage(trail.data, trail.next_cursor, fetch)

    def _give(self, result: Result[Any]) -> Any:
        """Convert a result into what the caller gets."""
        return result.data

    async def _run(self, steps: Steps[T]) -> T:
        """Carry out the steps of a call."""
        with closing(steps):
            came: HTTPResponse | BaseError | None = None
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
    """A client whose methods return the response with its data."""

    def __init__(self, client: AsyncClient) -> None:
        self._settings = client._settings
        self._http = client._http
        self._owns_http = False

    def _give(self, result: Result[Any]) -> Any:
        return raw_response(result)


def keep_responses(client: AsyncClient) -> AsyncClient:
    """Return a client whose methods return a `RawResponse`."""
    return _KeepingClient(client)


async def _exchange(http: httpx2.AsyncClient, draft: Draft) -> HTTPResponse | BaseError:
    """Send a request once and read the whole body, within the timeout."""
    import anyio  # slow to import, and not needed by the blocking client

    received: httpx2.Response | None = None
    try:
        with anyio.move_on_after(draft.timeout):
            request = draft.request(http.headers, None)
            received = await http.send(request, stream=True, follow_redirects=False)
            async with aclosing(received):
                pieces = [piece async for piece in received.aiter_bytes()]
                if has_leftovers(received.stream):
                    await received.extensions["network_stream"].aclose()
            return draft.response_of(received, b"".join(pieces))
        return timed_out(draft)
    except (httpx2.RequestError, httpx2.InvalidURL, OSError) as error:
        return failed(draft, received, error)
