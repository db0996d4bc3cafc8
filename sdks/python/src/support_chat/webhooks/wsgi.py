"""A WSGI app (PEP 3333) that receives deliveries.

app = webhook_app(Webhooks(secret), handle, store=MemoryDedupeStore())
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, TypeAlias

from .._generated.policy import WEBHOOKS_RESPONSES_FAILED, WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED
from .._generated.signature import SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER
from ._error import WebhookVerificationError, already_parsed
from ._event import Event
from ._receiver import Awaited, OnError, Receiver, check_callables, declared_length, run
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
_CHUNKED = "This server cannot read chunked bodies. Use one that sets wsgi.input_terminated."
_PIECE = 65_536


def webhook_app(
    webhooks: Webhooks,
    handler: Callable[[Event], object],
    *,
    store: DedupeStore | None = None,
    on_error: OnError | None = None,
) -> WSGIApp:
    """Return an app that verifies deliveries and passes their events to `handler`.

    `handler` does the work. If it raises, the service retries the delivery. It also receives events
    of unknown kinds, as `UnknownEvent`. With a `store`, an event that was handled or is in progress
    is not handled again. `on_error` is called with every refusal (`WebhookVerificationError`) and
    with the errors of the handler and the store. Without it, they are logged to the logger of this
    package. Responses have neither a body nor a reason.

    Raises the base error for an async function, because this app awaits nothing.
    """
    check_callables(are_async=False, handler=handler, store=store, on_error=on_error)

    async def handle(event: Event) -> None:
        handler(event)

    receiver = Receiver(webhooks, handle, None if store is None else Awaited(store), on_error)

    def app(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        status = HTTPStatus(_status_of(receiver, environ))
        headers = [] if status == HTTPStatus.NO_CONTENT else [("Content-Length", "0")]
        if status == WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED:
            headers.append(("Allow", "POST"))
        start_response(f"{status.value} {status.phrase}", headers)
        return []

    return app


def _status_of(receiver: Receiver, environ: dict[str, Any]) -> int:
    if environ.get("REQUEST_METHOD") != "POST":
        return WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED
    try:
        body = _read_body(environ, receiver.max_body_bytes)
    except WebhookVerificationError as error:
        return receiver.refuse(error)
    except OSError:  # the sender has disconnected
        return WEBHOOKS_RESPONSES_FAILED
    except Exception as error:  # noqa: BLE001 - the stream of a server may raise anything
        return receiver.fail(error)
    headers = {name: environ.get(variable) for name, variable in _HEADERS.items()}
    return run(receiver.receive(body, headers))


def _read_body(environ: dict[str, Any], limit: int) -> bytes:
    """Read a body up to one byte beyond the limit."""
    length = declared_length(environ.get("CONTENT_LENGTH") or "")
    if length is None:
        if environ.get("wsgi.input_terminated"):
            return _read(environ["wsgi.input"], limit + 1)
        if environ.get("HTTP_TRANSFER_ENCODING"):
            raise WebhookVerificationError("body_already_parsed", _CHUNKED)
        return b""
    if length > limit:
        raise WebhookVerificationError("payload_too_large")
    body = _read(environ["wsgi.input"], length)
    if length and not body:
        raise already_parsed(_CONSUMED)
    if len(body) < length:
        raise ConnectionError("The body is incomplete.")
    return body


def _read(stream: Any, size: int) -> bytes:
    pieces = []
    while size and (piece := stream.read(min(size, _PIECE))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)
