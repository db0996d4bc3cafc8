"""An ASGI 3 app that receives deliveries.

app = webhook_app(Webhooks(secret), handle, store=MemoryDedupeStore())
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, TypeAlias

from .._generated.names import BaseError
from .._generated.policy import WEBHOOKS_RESPONSES_FAILED, WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED
from ._arrival import BODY_TIMEOUT, Arrival, check_timeout, hung_up, within
from ._event import Event
from ._receiver import Flow, OnError, async_flow
from ._store import AsyncDedupeStore, MemoryDedupeStore
from ._verifier import Webhooks

__all__ = ["ASGIApp", "webhook_app"]

ASGIApp: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]
"""An ASGI application."""

_Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
_Headers: TypeAlias = list[tuple[bytes, bytes]]
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
    body_timeout: float | None = BODY_TIMEOUT,
) -> ASGIApp:
    """Return an app that verifies deliveries and passes their events to `handler`.

    `handler` does the work. If it raises, the service retries the delivery. It also receives events
    of unknown kinds, as `UnknownEvent`. With a `store`, an event that was handled or is in progress
    is not handled again. `on_error`, a plain function, is called with every refusal
    (`WebhookVerificationError`), with the errors of the handler and the store, and with the base
    error for an event in progress and for a body that does not arrive. Without it, they are logged
    to the logger of this package. `body_timeout` is how long a whole body may take, in seconds (15
    by default); None or 0 is no limit. Responses have neither a body nor a reason.

    In Starlette and FastAPI it serves a path as `Route("/webhooks", webhook_app(…))`.

    Raises the base error for a handler or a store that is not async, because it would block the
    event loop.
    """
    return _App(async_flow(webhooks, handler, store, on_error), check_timeout(body_timeout))


class _App:
    """An instance, because Starlette takes functions for views of one request."""

    __slots__ = ("_flow", "_timeout")

    def __init__(self, flow: Flow, timeout: float | None) -> None:
        self._flow = flow
        self._timeout = timeout

    async def __call__(self, scope: Any, receive: _Receive, send: _Send) -> None:
        serve = {
            "http": self._serve_http,
            "lifespan": _serve_lifespan,
            "websocket": _refuse_websocket,
        }.get(scope["type"])
        if serve is None:
            raise BaseError(f"This app does not support the scope type {scope['type']}.")
        await serve(scope, receive, send)

    async def _serve_http(self, scope: Any, receive: _Receive, send: _Send) -> None:
        status, headers = await self._respond(scope, receive)
        if status != HTTPStatus.NO_CONTENT:
            headers.append((b"content-length", b"0"))
        try:
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body"})
        except OSError:  # the sender has disconnected
            return

    async def _respond(self, scope: Any, receive: _Receive) -> tuple[int, _Headers]:
        if scope["method"] != "POST":
            return WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED, [(b"allow", b"POST")]
        headers: _Headers = [*scope["headers"]]
        arriving = _read_body(headers, receive, self._flow.max_body_bytes)
        try:
            body = await within(self._timeout, arriving)
        except Exception as error:  # noqa: BLE001 - a server may raise anything
            status = self._flow.reject(error)
            # The rest of the body may still come. HTTP/2 has no such header.
            is_cut = status == WEBHOOKS_RESPONSES_FAILED and scope.get("http_version") == "1.1"
            return status, [(b"connection", b"close")] if is_cut else []
        return await self._flow.receive(body, headers), []


async def _read_body(headers: _Headers, receive: _Receive, limit: int) -> bytes:
    """Read a body up to the limit."""
    length = dict(headers).get(b"content-length", b"").decode("latin-1")
    arrival = Arrival(length, limit, _CONSUMED)
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise hung_up()
        arrival.add(message.get("body", b""))
        more = message.get("more_body", False)
    return arrival.finish()


async def _serve_lifespan(_scope: Any, receive: _Receive, send: _Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _refuse_websocket(_scope: Any, receive: _Receive, send: _Send) -> None:
    await receive()
    await send({"type": "websocket.close"})
