"""One attempt on its way to the service and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import httpx2

from .._generated.names import BaseError
from .deadline import Deadline
from .response import HTTPResponse, Opened
from .streams import bound
from .trace import Attempt

if TYPE_CHECKING:
    import anyio

    from .._generated.policy import Outcome
    from .draft import Draft

T = TypeVar("T")

PACKAGE = __name__.partition(".")[0]
"""The key of the attempt in the extensions of a request."""

EXCHANGE = f"{PACKAGE}.exchange"
"""The key of the exchange, for the middleware of this package."""

# Errors that occur only before a request is sent: no address, no connection, no trust.
_NOT_SENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
    httpx2.InvalidURL,
)
TRANSPORT_ERRORS = (httpx2.RequestError, httpx2.InvalidURL, OSError)
"""What an HTTP client raises for an attempt that fails."""
_REFUSED_STREAM = 7  # RFC 9113, section 7


class Stage:
    """How far an attempt came."""

    PREPARED = 0
    """Only middleware has seen the request."""
    TRANSPORT = 1
    """The HTTP client has the request."""
    CONNECTING = 2
    """It opens a connection, through a proxy where there is one."""
    SENDING = 3
    """The request may be on its way."""
    SENT_HEADERS = 4
    """The headers of the request were sent."""


# What the events of httpcore2 mean. A request to a proxy for a connection is one of `CONNECT`.
_STAGES = {
    "connection.connect_tcp.started": Stage.CONNECTING,
    "connection.connect_unix_socket.started": Stage.CONNECTING,
    "socks.connect_tcp.started": Stage.CONNECTING,
    "http11.send_request_headers.started": Stage.SENDING,
    "http2.send_request_headers.started": Stage.SENDING,
    "http11.send_request_headers.complete": Stage.SENT_HEADERS,
    "http2.send_request_headers.complete": Stage.SENT_HEADERS,
}
_OPENED = ("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")
"""The events that have a connection, whatever opens it."""


class Exchange:
    """One attempt of a call, and how far it came."""

    __slots__ = (
        "_extensions",
        "_is_own",
        "_responses",
        "_stream",
        "attempt",
        "deadline",
        "draft",
        "failure",
        "scope",
        "stage",
    )

    def __init__(self, draft: Draft, attempt: Attempt) -> None:
        self.draft = draft
        self.attempt = attempt
        self.deadline = Deadline(None, None)
        self.stage = Stage.PREPARED
        self.failure: BaseException | None = None
        """The error of the HTTP client, as opposed to those of middleware."""
        self.scope: anyio.CancelScope | None = None
        """What cancels an asynchronous attempt at its deadline."""
        self._extensions: dict[str, Any] = {}
        self._is_own = False
        self._responses: list[httpx2.Response] = []
        self._stream: int | None = None

    def request(self, common: Mapping[str, str], trace: Callable[..., Any]) -> httpx2.Request:
        """Start the attempt. Return the request, with the headers of the HTTP client for all requests."""
        draft = self.draft
        self.deadline = Deadline(draft.timeout, draft.connect_timeout)
        self._extensions = {
            "timeout": self.deadline,
            "trace": trace,
            PACKAGE: self.attempt,
            EXCHANGE: self,
        }
        return httpx2.Request(
            draft.method, draft.url, headers={**common, **draft.headers}, content=draft.content
        )

    def wrapped(self, send: Callable[[httpx2.Request], T]) -> Callable[[httpx2.Request], T]:
        """Wrap the function that sends a request with middleware, the first outermost."""
        for one in reversed(self.draft.settings.middleware):
            send = self._around(one, send)
        return send

    def _around(self, one: Callable[..., T], send: Callable[..., T]) -> Callable[..., T]:
        return lambda request: one(self.marked(request), send)

    def marked(self, request: httpx2.Request) -> httpx2.Request:
        """Return a request with the extensions of this attempt, also one that middleware made anew."""
        if request.extensions.get(EXCHANGE) is not self:
            request.extensions = {**self._extensions, **request.extensions}
        return request

    def hand_over(self, *, is_own: bool) -> None:
        """Note that the HTTP client gets the request."""
        self._is_own = is_own
        self.stage = max(self.stage, Stage.TRANSPORT)

    def __enter__(self) -> None:
        """Begin a block whose errors are those of the HTTP client, as opposed to middleware."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, TRANSPORT_ERRORS):
            self.failure = error

    @property
    def is_canceled(self) -> bool:
        """Whether the timeout has canceled the attempt, as opposed to the caller."""
        return self.scope is not None and self.scope.cancel_called

    def check_deadline(self) -> None:
        """Raise httpx2.ReadTimeout if the attempt has exceeded its timeout."""
        if self.deadline.expired:
            raise httpx2.ReadTimeout("timed out")

    def arrived(self, received: httpx2.Response) -> None:
        """Note that the service has sent a response."""
        self.stage = Stage.SENT_HEADERS
        self._responses.append(received)

    def leftovers(self, kept: httpx2.Response | None) -> list[httpx2.Response]:
        """Return the responses to close at the end of the attempt, each of which holds a connection.

        Middleware may send twice, or raise after a response. `kept` is the one that the caller reads.
        Middleware that made it may read another through it.
        """
        if kept is not None and not any(one is kept for one in self._responses):
            return []
        return [one for one in self._responses if one is not kept]

    def note(self, event: str, details: Mapping[str, Any]) -> None:
        """Note an event of a blocking connection."""
        if event.partition(".")[2] in _OPENED:
            bound(details["return_value"])
        self._note(event, details)

    def _note(self, event: str, details: Mapping[str, Any]) -> None:
        """Note an event of the connection, as httpcore2 names them."""
        stage = _STAGES.get(event)
        if stage is None:
            return
        if stage == Stage.SENDING:
            if details["request"].method == b"CONNECT":
                return
            self._stream = details.get("stream_id")
        elif stage == Stage.SENT_HEADERS and self.stage < Stage.SENDING:
            return  # those of CONNECT
        self.stage = max(self.stage, stage)

    async def note_async(self, event: str, details: Mapping[str, Any]) -> None:
        """Note an event of an asynchronous connection."""
        self._note(event, details)

    def outcome(self, cause: BaseException | None = None) -> Outcome:
        """Return whether the request may have taken effect, if no response comes."""
        is_untouched = (
            (isinstance(cause, _NOT_SENT) and self.stage < Stage.SENDING)
            or self.stage in (Stage.PREPARED, Stage.CONNECTING)
            # The connections of this package report every step, those of a caller may not.
            or (self.stage == Stage.TRANSPORT and self._is_own)
            or (isinstance(cause, httpx2.LocalProtocolError) and self.stage < Stage.SENT_HEADERS)
            or self._is_unprocessed(cause)
        )
        return "not_sent" if is_untouched else "unknown"

    def _is_unprocessed(self, cause: BaseException | None) -> bool:
        """Return whether HTTP/2 guarantees that the request was not processed."""
        event = getattr(cause and cause.__cause__, "args", (None,))[:1]
        for reason in event:
            last: int | None = getattr(reason, "last_stream_id", None)
            if last is not None:
                return self._stream is not None and self._stream > last
            return getattr(reason, "error_code", None) == _REFUSED_STREAM
        return False

    def response_of(
        self, received: httpx2.Response, content: bytes, opened: Opened | None = None
    ) -> HTTPResponse:
        """Build the response to this attempt."""
        return HTTPResponse(
            method=self.draft.method,
            url=self.draft.url,
            status=received.status_code,
            headers=received.headers,
            content=content,
            opened=opened,
        )


def check_response(received: object) -> httpx2.Response:
    """Raise TypeError if middleware returned something else than a response."""
    if isinstance(received, httpx2.Response):
        return received
    raise TypeError(f"middleware must return an httpx2.Response, not {type(received).__name__}")


Came = HTTPResponse | BaseError
"""The result of an attempt."""
