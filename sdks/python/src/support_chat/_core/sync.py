"""The blocking client."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar, overload

import httpx2

from .._generated import policy
from .._generated.names import BaseError
from . import clock
from .call import Draft, Result, Steps, call
from .deadline import Deadline
from .failure import failed
from .model import as_is
from .options import resolve_options
from .pages import Page, Trail, first_page
from .raw import raw_response
from .response import HTTPResponse

if TYPE_CHECKING:
    import logging
    from types import TracebackType

    from typing_extensions import Self, Unpack

    from .options import ClientOptions, RequestArguments
    from .trace import Trace

T = TypeVar("T")


class Client:
    """The base of every client.

    Threads may share it. Close it, or use it as a context manager, to close its connections.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = policy.TIMEOUT_MS / 1_000,
        max_retries: int = policy.RETRIES_MAX,
        http_client: httpx2.Client | None = None,
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
                close it. It applies the timeout to each read and write, so that an attempt can
                take up to twice as long.
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
        self._http = http_client or _open_client()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._settings.base_url!r})"

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
        if self._owns_http:
            self._http.close()

    def with_options(self, **options: Unpack[ClientOptions]) -> Self:
        """Return a client with other options that shares the connections of this one."""
        settings = self._settings
        same: Any = {field.name: getattr(settings, field.name) for field in fields(settings)}
        return type(self)(**{**same, **options}, http_client=self._http)

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

    def paginate(
        self, path: str, read: Callable[[Any], T], **arguments: Unpack[RequestArguments]
    ) -> Page[T]:
        """Fetch the first page of any list that is paged.

        Args:
            path: The path with placeholders. `path_params` fills them.
            read: Converts parsed JSON into an item.
            **arguments: As for `request`. For a list that is not in the contract,
                `operation.page` describes the pagination.
        """
        result = self._run(first_page(self._settings, path, read, arguments))
        page: Page[T] = self._give(Result(self._page(result.data), result.response))
        return page

    def _page(self, trail: Trail) -> Page[Any]:
        def fetch() -> Page[Any]:
            return self._page(self._run(trail.follow()).data)

        return Page(trail.data, trail.next_cursor, fetch)

    def _give(self, result: Result[Any]) -> Any:
        """Convert a result into what the caller gets."""
        return result.data

    def _run(self, steps: Steps[T]) -> T:
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
                    came = _exchange(self._http, step)
                else:
                    came = None
                    clock.sleep(step)


class _KeepingClient(Client):
    """A client whose methods return the response with its data."""

    def __init__(self, client: Client) -> None:
        self._settings = client._settings
        self._http = client._http
        self._owns_http = False

    def _give(self, result: Result[Any]) -> Any:
        return raw_response(result)


def keep_responses(client: Client) -> Client:
    """Return a client whose methods return a `RawResponse`."""
    return _KeepingClient(client)


def _open_client() -> httpx2.Client:
    from .sockets import open_client  # slow to import, and not needed with a client of the caller

    return open_client()


def _exchange(http: httpx2.Client, draft: Draft) -> HTTPResponse | BaseError:
    """Send a request once and read the whole body, within the timeout."""
    deadline = Deadline(draft.timeout)
    received: httpx2.Response | None = None
    try:
        request = draft.request(http.headers, deadline)
        received = http.send(request, stream=True, follow_redirects=False)
        with closing(received):
            return draft.response_of(received, b"".join(_within(deadline, received)))
    except (httpx2.RequestError, httpx2.InvalidURL, OSError) as error:
        return failed(draft, received, error)


def _within(deadline: Deadline, received: httpx2.Response) -> Generator[bytes, None, None]:
    """Read a body piece by piece, for a transport that ignores the deadline."""
    for piece in received.iter_bytes():
        yield piece
        if deadline.left() <= 0:
            raise httpx2.ReadTimeout("timed out")
