"""An ASGI 3 app that receives deliveries.

app = webhook_app(Webhooks(secret), handle, store=MemoryDedupeStore())
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, TypeAlias

from .._generated.names import BaseError
from .._generated.policy import WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED
from ._error import WebhookVerificationError, already_parsed
from ._event import Event
from ._receiver import Awaited, OnError, Receiver, check_callables, declared_length
from ._store import AsyncDedupeStore, MemoryDedupeStore
from ._verifier import Webhooks

__all__ = ["ASGIApp", "webhook_app"]

ASGIApp: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]
"""An ASGI application."""

_Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
_Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]

_CONSUMED = (
    "Starlette and FastAPI: mount the app outside of middleware that reads bodies, or call "
    "unwrap(await request.body(), request.headers) in a route."
)


def webhook_app(
    webhooks: Webhooks,
    handler: Callable[[Event], Awaitable[object]],
    *,
    store: AsyncDedupeStore | MemoryDedupeStore | None = None,
    on_error: OnError | None = None,
) -> ASGIApp:
    """Return an app that verifies deliveries and passes their events to `handler`.

    `handler` does the work. If it raises, the service retries the delivery. It also receives events
    of unknown kinds, as `UnknownEvent`. With a `store`, an event that was handled or is in progress
    is not handled again. `on_error`, a plain function, is called with every refusal
    (`WebhookVerificationError`) and with the errors of the handler and the store. Without it, they
    are logged to the logger of this package. Responses have neither a body nor a reason.

    Raises the base error for a handler or a store that is not async, because it would block the
    event loop.
    """
    awaited = Awaited(store) if isinstance(store, MemoryDedupeStore) else store
    check_callables(are_async=True, handler=handler, store=awaited, on_error=on_error)
    receiver = Receiver(webhooks, handler, awaited, on_error)

    async def app(scope: Any, receive: _Receive, send: _Send) -> None:
        serve = _SCOPES.get(scope["type"])
        if serve is None:
            raise BaseError(f"This app does not support the scope type {scope['type']}.")
        await serve(receiver, scope, receive, send)

    return app


async def _serve_http(receiver: Receiver, scope: Any, receive: _Receive, send: _Send) -> None:
    status = await _status_of(receiver, scope, receive)
    if status is None:
        return
    headers = [] if status == HTTPStatus.NO_CONTENT else [(b"content-length", b"0")]
    if status == WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED:
        headers.append((b"allow", b"POST"))
    try:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body"})
    except OSError:  # the sender has disconnected
        return


async def _serve_lifespan(_receiver: Receiver, _scope: Any, receive: _Receive, send: _Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _refuse_websocket(
    _receiver: Receiver, _scope: Any, receive: _Receive, send: _Send
) -> None:
    await receive()
    await send({"type": "websocket.close"})


_SCOPES = {"http": _serve_http, "lifespan": _serve_lifespan, "websocket": _refuse_websocket}


async def _status_of(receiver: Receiver, scope: Any, receive: _Receive) -> int | None:
    """Return the status, or None if the sender has disconnected."""
    if scope["method"] != "POST":
        return WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED
    headers = [*scope["headers"]]
    try:
        body = await _read_body(headers, receive, receiver.max_body_bytes)
    except WebhookVerificationError as error:
        return receiver.refuse(error)
    return None if body is None else await receiver.receive(body, headers)


async def _read_body(
    headers: list[tuple[bytes, bytes]], receive: _Receive, limit: int
) -> bytes | None:
    """Read a body up to the limit. Returns None if the sender disconnects meanwhile."""
    framing = dict(headers)
    length = declared_length(framing.get(b"content-length", b"").decode("latin-1"))
    if length and length > limit:
        raise WebhookVerificationError("payload_too_large")
    pieces: list[bytes] = []
    size = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            if size:
                return None
            # After the body was read, a server sends nothing until the sender disconnects.
            raise already_parsed(_CONSUMED)
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        if size > limit:
            raise WebhookVerificationError("payload_too_large")
        more = message.get("more_body", False)
    if not size and (length or b"transfer-encoding" in framing):
        raise already_parsed(_CONSUMED)
    return b"".join(pieces)
