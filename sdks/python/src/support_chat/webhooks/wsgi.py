"""A WSGI app (PEP 3333) that receives deliveries.

app = webhook_app(Webhooks(secret), handle, store=MemoryDedupeStore())
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from time import monotonic
from typing import Any, TypeAlias

from .._generated.policy import WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED
from .._generated.signature import SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER
from ._arrival import BODY_TIMEOUT, Arrival, check_timeout, hung_up, too_late
from ._event import Event
from ._receiver import Flow, OnError, blocking_flow, run
from ._store import DedupeStore
from ._verifier import Webhooks

__all__ = ["WSGIApp", "webhook_app"]

WSGIApp: TypeAlias = Callable[[dict[str, Any], Any], Iterable[bytes]]
"""A WSGI application."""

_HEADERS = {
    name: f"HTTP_{name.upper().replace('-', '_')}"
    for name in (SIGNATURE_HEADER, SIGNATURE_EVENT_HEADER)
}
_CONSUMED = (
    "Flask: mount the app with werkzeug's DispatcherMiddleware, or call "
    "unwrap(request.get_data(), request.headers) in a view. "
    "Django: call unwrap(request.body, request.headers) in a view."
)
_CHUNKED = "This server does not pass on chunked bodies. Use one that sets wsgi.input_terminated."
_PIECE = 65_536


def webhook_app(
    webhooks: Webhooks,
    handler: Callable[[Event], object],
    *,
    store: DedupeStore | None = None,
    on_error: OnError | None = None,
    body_timeout: float | None = BODY_TIMEOUT,
) -> WSGIApp:
    """Return an app that verifies deliveries and passes their events to `handler`.

    `handler` does the work. If it raises, the service retries the delivery. It also receives events
    of unknown kinds, as `UnknownEvent`. With a `store`, an event that was handled or is in progress
    is not handled again. `on_error` is called with every refusal (`WebhookVerificationError`), with
    the errors of the handler and the store, and with the base error for an event in progress and
    for a body that does not arrive. Without it, they are logged to the logger of this package.
    `body_timeout` is how long a whole body may take, in seconds (15 by default); None or 0 is no
    limit. It is checked between two pieces of a body, because only the server can end a read.
    Responses have neither a body nor a reason.

    Raises the base error for an async function, because this app awaits nothing.
    """
    flow = blocking_flow(webhooks, handler, store, on_error)
    timeout = check_timeout(body_timeout)

    def app(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        status = HTTPStatus(status_of(flow, timeout, environ))
        headers = [] if status == HTTPStatus.NO_CONTENT else [("Content-Length", "0")]
        if status == WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED:
            headers.append(("Allow", "POST"))
        start_response(f"{status.value} {status.phrase}", headers)
        return []

    return app


def status_of(
    flow: Flow,
    timeout: float | None,
    environ: dict[str, Any],
    cached: Callable[[], bytes] = bytes,
) -> int:
    """Receive a request. `cached` returns the body that a framework has kept, if any."""
    if environ.get("REQUEST_METHOD") != "POST":
        return WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED
    try:
        body = _read_body(environ, flow.max_body_bytes, timeout, cached)
    except Exception as error:  # noqa: BLE001 - the stream of a server may raise anything
        return flow.reject(error)
    headers = {name: environ.get(variable) for name, variable in _HEADERS.items()}
    return run(flow.receive(body, headers))


def _read_body(
    environ: dict[str, Any], limit: int, timeout: float | None, cached: Callable[[], bytes]
) -> bytes:
    """Read a body up to one byte beyond the limit."""
    has_end = bool(environ.get("wsgi.input_terminated"))
    has_chunks = bool(environ.get("HTTP_TRANSFER_ENCODING"))
    cure = _CHUNKED if has_chunks and not has_end else _CONSUMED
    arrival = Arrival(environ.get("CONTENT_LENGTH") or "", limit, cure)
    size = arrival.length
    if size is None:
        size = limit + 1 if has_end else 0
    try:
        _read(environ.get("wsgi.input"), size, arrival, timeout)
    except OSError as error:
        raise hung_up() from error
    if not arrival.size:
        arrival.add(cached())
    elif arrival.size < (arrival.length or 0):
        raise hung_up()
    return arrival.finish()


def _read(stream: Any, size: int, arrival: Arrival, timeout: float | None) -> None:
    """Read up to so many bytes."""
    # `read1` returns what there is, where `read` waits for as much as it was asked for.
    read = getattr(stream, "read1", None) or getattr(stream, "read", None)
    start = monotonic()
    while (left := size - arrival.size) and read and (piece := read(min(left, _PIECE))):
        arrival.add(piece)
        if timeout is not None and arrival.size < size and monotonic() - start > timeout:
            raise too_late(timeout)
