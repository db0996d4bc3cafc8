"""The blocking client."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from logging import Logger
from types import TracebackType
from typing import Any, TypeVar, overload

import httpx2

from .._generated import policy
from .._generated.policy import LogLevel
from . import clock
from .arriving import Body
from .base import BaseClient, keep_responses
from .call import Result, Steps, call
from .cookies import no_cookies
from .exchange import TRANSPORT_ERRORS, Came, Exchange, check_response
from .failure import failed, timed_out
from .mismatches import MismatchHook
from .model import Model, as_is
from .options import ClientOptions, Middleware, RequestArguments
from .pages import Page, Trail, first_page, page_of
from .raw import RawResponse, StreamedResponse
from .response import HTTPResponse, Opened
from .streams import within
from .trace import Trace
from .trust import trust
from .typed import Self, Unpack

__all__ = ["Client", "ClientWithRawResponse", "keep_responses"]

T = TypeVar("T")


class Client(BaseClient[httpx2.Client]):
    """The base of every client.

    Threads may share it, and processes that fork. Close it, or use it as a context manager, to close
    its connections.
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
        middleware: Sequence[Middleware] = (),
        strict: bool = policy.MISMATCHES_STRICT,
        on_mismatch: MismatchHook | None = None,
        http_client: httpx2.Client | None = None,
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
            httpx2.Client,
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections, including those of clones."""
        http = self._connections.close() if self._owns_connections else None
        if http is not None:
            http.close()

    def with_options(self, **options: Unpack[ClientOptions]) -> Self:
        """Return a client with other options that shares the connections of this one."""
        return self._clone(options)

    @overload
    def request(self, method: str, path: str, **arguments: Unpack[RequestArguments]) -> Any: ...
    @overload
    def request(
        self,
        method: str,
        path: str,
        read: Callable[[Any], T],
        **arguments: Unpack[RequestArguments],
    ) -> T: ...
    def request(
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
        return self._give(self._run(call(self._settings, method, path, read, arguments)))

    @contextmanager
    def stream(
        self, method: str, path: str, **arguments: Unpack[RequestArguments]
    ) -> Iterator[StreamedResponse]:
        """Call any path, and read the body of the response piece by piece.

            with client.stream("GET", "/v1/things/{id}/file", path_params={"id": id}) as response:
                for piece in response.iter_bytes():
                    file.write(piece)

        Raises what `request` raises for an unsuccessful status. The timeout covers the whole body.

        Args:
            method: The HTTP method in capitals.
            path: The path with placeholders. `path_params` fills them.
            **arguments: As for `request`.
        """
        steps = call(self._settings, method, path, as_is, arguments, is_streamed=True)
        response = self._run(steps).response
        assert response.opened
        with closing(response.opened.received):
            yield StreamedResponse(response, response.opened)

    def paginate(
        self,
        path: str,
        read: Callable[[Any], T],
        page: type[Model] | None = None,
        **arguments: Unpack[RequestArguments],
    ) -> Page[T]:
        """Fetch the first page of any list that is paged.

        Args:
            path: The path with placeholders. `path_params` fills them.
            read: Converts parsed JSON into an item.
            page: The model of a page, which then reads the items, and which responses are compared
                with.
            **arguments: As for `request`. For a list that is not in the contract,
                `operation.page` describes the pagination.
        """
        result = self._run(first_page(self._settings, path, read, page, arguments))
        found: Page[T] = self._give(Result(self._page(result), result.response))
        return found

    def _page(self, result: Result[Trail]) -> Page[Any]:
        def fetch() -> Page[Any]:
            return self._page(self._run(result.data.follow()))

        return page_of(Page, result.data, fetch, result.response)

    @staticmethod
    def _open() -> httpx2.Client:
        return httpx2.Client(verify=trust(), cookies=no_cookies())

    def _run(self, steps: Steps[T]) -> T:
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
                        came = self._exchange(step)
                    else:
                        clock.sleep(step)
                except BaseException as error:
                    steps.throw(error)
                    raise

    def _exchange(self, exchange: Exchange) -> Came:
        """Make one attempt: send the request and read the whole body, within the timeout."""
        http = self._connections.get()
        received: httpx2.Response | None = None
        kept: httpx2.Response | None = None
        try:
            request = exchange.request(http.headers, exchange.note)
            send = exchange.wrapped(partial(self._send, http, exchange))
            received = check_response(send(request))
            if exchange.draft.is_streamed and received.is_success:
                kept = received
                return _opened(exchange, received)
            with closing(received):
                content = b"".join(received.iter_bytes())
            if exchange.deadline.expired:
                return timed_out(exchange)
            return exchange.response_of(received, content)
        except TRANSPORT_ERRORS as error:
            if received is None and error is not exchange.failure:
                raise
            return failed(exchange, received, error)
        finally:
            for left in exchange.leftovers(kept):
                left.close()

    def _send(
        self, http: httpx2.Client, exchange: Exchange, request: httpx2.Request
    ) -> httpx2.Response:
        """Send a request, which middleware may have changed."""
        exchange.hand_over(is_own=self._connections.is_own)
        with exchange, within(exchange.deadline):
            received = http.send(exchange.marked(request), stream=True, follow_redirects=False)
        exchange.arrived(received)
        received.stream = Body(received, exchange)
        return received


class ClientWithRawResponse:
    """The base of every client whose methods return a `RawResponse`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._raw: Any = keep_responses(client)

    @overload
    def request(
        self, method: str, path: str, **arguments: Unpack[RequestArguments]
    ) -> RawResponse[Any]: ...
    @overload
    def request(
        self,
        method: str,
        path: str,
        read: Callable[[Any], T],
        **arguments: Unpack[RequestArguments],
    ) -> RawResponse[T]: ...
    def request(
        self,
        method: str,
        path: str,
        read: Callable[[Any], Any] = as_is,
        **arguments: Unpack[RequestArguments],
    ) -> RawResponse[Any]:
        """Call any path, as `Client.request` does."""
        response: RawResponse[Any] = self._raw.request(method, path, read, **arguments)
        return response

    def paginate(
        self,
        path: str,
        read: Callable[[Any], T],
        page: type[Model] | None = None,
        **arguments: Unpack[RequestArguments],
    ) -> RawResponse[Page[T]]:
        """Fetch the first page of any list, as `Client.paginate` does."""
        response: RawResponse[Page[T]] = self._raw.paginate(path, read, page, **arguments)
        return response


def _opened(exchange: Exchange, received: httpx2.Response) -> HTTPResponse:
    opened = Opened(received, partial(failed, exchange, received))
    return exchange.response_of(received, b"", opened)
