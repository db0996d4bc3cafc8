"""The asynchronous client, on asyncio or trio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, closing
from functools import partial
from logging import Logger
from types import TracebackType
from typing import Any, TypeVar, overload

import httpx2

from .._generated import policy
from .._generated.policy import LogLevel
from . import clock
from .arriving import AsyncBody
from .base import BaseClient, keep_responses
from .call import Result, Steps, call
from .cookies import no_cookies
from .exchange import TRANSPORT_ERRORS, Came, Exchange, check_response
from .failure import failed, timed_out
from .mismatches import MismatchHook
from .model import Model, as_is
from .options import AsyncClientOptions, AsyncMiddleware, RequestArguments
from .pages import AsyncPage, AsyncPages, Trail, first_page, page_of
from .raw import AsyncStreamedResponse, RawResponse
from .response import HTTPResponse, Opened
from .trace import Trace
from .trust import trust
from .typed import Self, Unpack

__all__ = ["AsyncClient", "AsyncClientWithRawResponse", "keep_responses"]

T = TypeVar("T")


class AsyncClient(BaseClient[httpx2.AsyncClient]):
    """The base of every asynchronous client.

    It belongs to one event loop. Close it, or use it as a context manager, to close its
    connections.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float | None = policy.TIMEOUT_MS / 1_000,
        connect_timeout: float | None = None,
        max_retries: int = policy.RETRIES_MAX,
        default_headers: Mapping[str, str | None] | None = None,
        default_query: Mapping[str, object] | None = None,
        middleware: Sequence[AsyncMiddleware] = (),
        strict: bool = policy.MISMATCHES_STRICT,
        on_mismatch: MismatchHook | None = None,
        http_client: httpx2.AsyncClient | None = None,
        logger: Logger | None = None,
        log_level: LogLevel | None = None,
        trace: Trace | None = None,
    ) -> None:
        """Create a client.

        Args:
            api_key: The API key. Defaults to the environment variable.
            base_url: The address of the API, without the version prefix. Defaults to the
                environment variable.
            timeout: The limit for one attempt in seconds, from connecting to the end of the body.
                None for no limit.
            connect_timeout: The limit for opening a connection in seconds, within `timeout`. None for
                no limit of its own.
            max_retries: The maximum number of retries of a failed request, where a retry is safe.
            default_headers: Headers of every request. None removes a header.
            default_query: Query parameters of every request.
            middleware: Functions around every attempt, the first outermost. They may change the
                request and the response.
            strict: Whether a response that does not match the contract raises InvalidResponseError.
                Otherwise a warning is logged, once per field.
            on_mismatch: Called for every field of a response that does not match the contract.
            http_client: Sends the requests, for proxies, certificates and tests. This client does not
                close it.
            logger: Logs every attempt. Defaults to the logger with the name of this package. Keys
                and cookies are redacted.
            log_level: What is logged: "off", "error", "warn", "info" or "debug". Defaults to the
                environment variable, then to what the logger lets through.
            trace: A hook around every attempt, for spans and metrics.

        Raises the base error with the outcome `not_sent` for an invalid option.
        """
        super().__init__(
            http_client,
            httpx2.AsyncClient,
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            connect_timeout=connect_timeout,
            max_retries=max_retries,
            default_headers=default_headers,
            default_query=default_query,
            middleware=middleware,
            strict=strict,
            on_mismatch=on_mismatch,
            logger=logger,
            log_level=log_level,
            trace=trace,
        )

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
        http = self._connections.close() if self._owns_connections else None
        if http is not None:
            await http.aclose()

    def with_options(self, **options: Unpack[AsyncClientOptions]) -> Self:
        """Return a client with other options that shares the connections of this one."""
        return self._clone(options)

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

    @asynccontextmanager
    async def stream(
        self, method: str, path: str, **arguments: Unpack[RequestArguments]
    ) -> AsyncIterator[AsyncStreamedResponse]:
        """Call any path, and read the body of the response piece by piece.

            async with client.stream("GET", "/v1/things/{id}/file", path_params={"id": id}) as response:
                async for piece in response.iter_bytes():
                    file.write(piece)

        Raises what `request` raises for an unsuccessful status. The timeout covers the whole body.

        Args:
            method: The HTTP method in capitals.
            path: The path with placeholders. `path_params` fills them.
            **arguments: As for `request`.
        """
        steps = call(self._settings, method, path, as_is, arguments, is_streamed=True)
        response = (await self._run(steps)).response
        assert response.opened
        async with aclosing(response.opened.received):
            yield AsyncStreamedResponse(response, response.opened)

    def paginate(
        self,
        path: str,
        read: Callable[[Any], T],
        page: type[Model] | None = None,
        **arguments: Unpack[RequestArguments],
    ) -> AsyncPages[T]:
        """Return any list that is paged, without sending a request yet.

        Args:
            path: The path with placeholders. `path_params` fills them.
            read: Converts parsed JSON into an item.
            page: The model of a page, which then reads the items, and which responses are compared
                with.
            **arguments: As for `request`. For a list that is not in the contract,
                `operation.page` describes the pagination.
        """

        async def first() -> AsyncPage[T]:
            result = await self._run(first_page(self._settings, path, read, page, arguments))
            found: AsyncPage[T] = self._give(Result(self._page(result), result.response))
            return found

        return AsyncPages(first)

    def _page(self, result: Result[Trail]) -> AsyncPage[Any]:
        async def fetch() -> AsyncPage[Any]:
            return self._page(await self._run(result.data.follow()))

        return page_of(AsyncPage, result.data, fetch, result.response)

    @staticmethod
    def _open() -> httpx2.AsyncClient:
        return httpx2.AsyncClient(verify=trust(), cookies=no_cookies())

    async def _run(self, steps: Steps[T]) -> T:
        """Carry out the steps of a call."""
        with closing(steps):
            came: Came | None = None
            while True:
                try:
                    step = steps.send(came)
                except StopIteration as end:
                    returned: T = end.value
                    return returned
                came = None
                try:
                    if isinstance(step, Exchange):
                        came = await self._exchange(step)
                    else:
                        await clock.sleep_async(step)
                except BaseException as error:
                    steps.throw(error)
                    raise

    async def _exchange(self, exchange: Exchange) -> Came:
        """Make one attempt: send the request and read the whole body, within the timeout."""
        import anyio  # slow to import, and not needed by the blocking client

        http = self._connections.get()
        received: httpx2.Response | None = None
        kept: httpx2.Response | None = None
        try:
            with anyio.move_on_after(exchange.draft.timeout) as exchange.scope:
                request = exchange.request(http.headers, exchange.note_async)
                send = exchange.wrapped(partial(self._send, http, exchange))
                received = check_response(await send(request))
                if exchange.draft.is_streamed and received.is_success:
                    kept = received
                    return _opened(exchange, received)
                async with aclosing(received):
                    content = b"".join([piece async for piece in received.aiter_bytes()])
                return exchange.response_of(received, content)
            return timed_out(exchange)
        except TRANSPORT_ERRORS as error:
            if received is None and error is not exchange.failure:
                raise
            return failed(exchange, received, error)
        finally:
            for left in exchange.leftovers(kept):
                await left.aclose()

    async def _send(
        self, http: httpx2.AsyncClient, exchange: Exchange, request: httpx2.Request
    ) -> httpx2.Response:
        """Send a request, which middleware may have changed."""
        exchange.hand_over(is_own=self._connections.is_own)
        with exchange:
            received = await http.send(
                exchange.marked(request), stream=True, follow_redirects=False
            )
        exchange.arrived(received)
        received.stream = AsyncBody(received, exchange)
        return received


class AsyncClientWithRawResponse:
    """The base of every asynchronous client whose methods return a `RawResponse`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._raw: Any = keep_responses(client)

    @overload
    async def request(
        self, method: str, path: str, **arguments: Unpack[RequestArguments]
    ) -> RawResponse[Any]: ...
    @overload
    async def request(
        self,
        method: str,
        path: str,
        read: Callable[[Any], T],
        **arguments: Unpack[RequestArguments],
    ) -> RawResponse[T]: ...
    async def request(
        self,
        method: str,
        path: str,
        read: Callable[[Any], Any] = as_is,
        **arguments: Unpack[RequestArguments],
    ) -> RawResponse[Any]:
        """Call any path, as `AsyncClient.request` does."""
        response: RawResponse[Any] = await self._raw.request(method, path, read, **arguments)
        return response

    async def paginate(
        self,
        path: str,
        read: Callable[[Any], T],
        page: type[Model] | None = None,
        **arguments: Unpack[RequestArguments],
    ) -> RawResponse[AsyncPage[T]]:
        """Fetch the first page of any list, as `AsyncClient.paginate` does."""
        response: RawResponse[AsyncPage[T]] = await self._raw.paginate(
            path, read, page, **arguments
        )
        return response


def _opened(exchange: Exchange, received: httpx2.Response) -> HTTPResponse:
    opened = Opened(received, partial(failed, exchange, received))
    return exchange.response_of(received, b"", opened)
