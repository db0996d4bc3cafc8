"""An aiohttp handler that receives deliveries.

app.router.add_post("/webhooks", webhook_handler(Webhooks(secret), handle, store=store))
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import ClientPayloadError, web

from .._generated.policy import WEBHOOKS_RESPONSES_FAILED, WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED
from ._arrival import BODY_TIMEOUT, Arrival, check_timeout, hung_up, within
from ._event import Event
from ._receiver import OnError, async_flow
from ._store import AsyncDedupeStore, MemoryDedupeStore
from ._verifier import Webhooks

__all__ = ["webhook_handler"]

_CONSUMED = "aiohttp: a middleware has read request.content. It can call await request.read()."


def webhook_handler(
    webhooks: Webhooks,
    handler: Callable[[Event], Awaitable[object]],
    *,
    store: AsyncDedupeStore | MemoryDedupeStore | None = None,
    on_error: OnError | None = None,
    body_timeout: float | None = BODY_TIMEOUT,
) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """Return a handler of requests that passes events to `handler`.

    The limit of a body is that of `webhooks`, not `client_max_size`. It also works if a middleware
    has called `await request.read()`. The options are those of
    `webhook_app` in `asgi`.

    Raises the base error for a handler or a store that is not async, because it would block the
    event loop.
    """
    flow = async_flow(webhooks, handler, store, on_error)
    timeout = check_timeout(body_timeout)

    async def respond(request: web.Request) -> web.StreamResponse:
        if request.method != "POST":
            headers = {"Allow": "POST"}
            return web.Response(status=WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED, headers=headers)
        try:
            body = await within(timeout, _read_body(request, flow.max_body_bytes))
        except Exception as error:  # noqa: BLE001 - the stream of a server may raise anything
            response = web.Response(status=flow.reject(error))
            if response.status == WEBHOOKS_RESPONSES_FAILED:  # the rest of the body may still come
                response.force_close()
            return response
        return web.Response(status=await flow.receive(body, request.raw_headers))

    return respond


async def _read_body(request: web.Request, limit: int) -> bytes:
    """Read a body up to the limit."""
    arrival = Arrival(request.headers.get("Content-Length", ""), limit, _CONSUMED)
    try:
        while piece := await request.content.readany():
            arrival.add(piece)
    except (OSError, ClientPayloadError) as error:
        raise hung_up() from error
    if not arrival.size:
        arrival.add(await request.read())  # what a middleware has read
    return arrival.finish()
