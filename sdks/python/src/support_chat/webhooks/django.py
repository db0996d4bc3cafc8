"""Django views that receive deliveries.

urlpatterns = [path("webhooks", webhook_view(Webhooks(secret), handle, store=store))]
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.core.exceptions import RequestDataTooBig
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse
from django.http.request import RawPostDataException, UnreadablePostError

from .._generated.policy import WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED
from ._arrival import Arrival, hung_up
from ._error import WebhookVerificationError, already_parsed
from ._event import Event
from ._receiver import Flow, OnError, async_flow, blocking_flow, run
from ._store import AsyncDedupeStore, DedupeStore, Lease, MemoryDedupeStore
from ._verifier import Webhooks

__all__ = ["async_webhook_view", "webhook_view"]

_CONSUMED = (
    "Django: a middleware has called request.read() or has read request.POST. A chunked body "
    "needs ASGI, or a WSGI server that sets wsgi.input_terminated."
)
_TOO_BIG = "It is larger than the setting DATA_UPLOAD_MAX_MEMORY_SIZE."


def webhook_view(
    webhooks: Webhooks,
    handler: Callable[[Event], object],
    *,
    store: DedupeStore | None = None,
    on_error: OnError | None = None,
) -> Callable[..., HttpResponse]:
    """Return a view that verifies deliveries and passes their events to `handler`.

    The view is exempt from CSRF protection, because signatures replace it. If an event is not
    handled, the transaction of the request (`ATOMIC_REQUESTS`) is rolled back. `handler` does the
    work. If it raises, the service retries the delivery. It also receives events of unknown kinds,
    as `UnknownEvent`. With a `store`, an event that was handled or is in progress is not handled
    again. `on_error` is called with every refusal (`WebhookVerificationError`), with the errors of
    the handler and the store, and with the base error for an event in progress. Without it, they
    are logged to the logger of this package.

    Raises the base error for an async function. Use `async_webhook_view` for these.
    """
    flow = blocking_flow(webhooks, handler, store, on_error)

    def webhook_view(request: HttpRequest, **_: object) -> HttpResponse:
        if request.method != "POST":
            return _not_allowed()
        try:
            body = _read_body(request, flow)
        except Exception as error:  # noqa: BLE001 - the stream of a server may raise anything
            return HttpResponse(status=flow.reject(error))
        status = run(flow.receive(body, request.headers))
        if status >= 500:
            _roll_back()
        return HttpResponse(status=status)

    _exempt(webhook_view)
    return webhook_view


def async_webhook_view(
    webhooks: Webhooks,
    handler: Callable[[Event], Awaitable[object]],
    *,
    store: AsyncDedupeStore | DedupeStore | None = None,
    on_error: OnError | None = None,
) -> Callable[..., Awaitable[HttpResponse]]:
    """Return an async view that verifies deliveries and passes their events to `handler`.

    A blocking `store` runs in the thread of Django's database connections. The rest is as for
    `webhook_view`, except that there is no transaction to roll back.

    Raises the base error for a handler that is not async, because it would block the event loop.
    """
    flow = async_flow(webhooks, handler, _awaited(store), on_error)

    async def webhook_view(request: HttpRequest, **_: object) -> HttpResponse:
        if request.method != "POST":
            return _not_allowed()
        try:
            body = _read_body(request, flow)
        except Exception as error:  # noqa: BLE001 - the stream of a server may raise anything
            return HttpResponse(status=flow.reject(error))
        return HttpResponse(status=await flow.receive(body, request.headers))

    _exempt(webhook_view)
    # Django refuses to serve async views in transactions.
    transaction.non_atomic_requests(webhook_view)
    return webhook_view


def _exempt(view: Any) -> None:
    """Mark a view as exempt from CSRF protection. The decorator breaks async views before Django 5."""
    view.csrf_exempt = True


def _not_allowed() -> HttpResponse:
    return HttpResponse(status=WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED, headers={"Allow": "POST"})


def _read_body(request: HttpRequest, flow: Flow) -> bytes:
    """Read a body up to one byte beyond the limit."""
    limit = flow.max_body_bytes
    arrival = Arrival(request.META.get("CONTENT_LENGTH") or "", limit, _CONSUMED)
    try:
        if arrival.length is not None:
            arrival.add(request.body)
        else:
            arrival.add(_stream_of(request).read(limit + 1))
    except RequestDataTooBig:
        raise WebhookVerificationError("payload_too_large", _TOO_BIG) from None
    except RawPostDataException:
        raise already_parsed(_CONSUMED) from None
    except UnreadablePostError as error:
        raise hung_up() from error
    return arrival.finish()


def _stream_of(request: HttpRequest) -> Any:
    """Return the stream of a chunked body, which Django takes for empty under WSGI."""
    if request.META.get("wsgi.input_terminated") and not hasattr(request, "_body"):
        return request.META["wsgi.input"]
    return request


def _awaited(
    store: AsyncDedupeStore | DedupeStore | None,
) -> AsyncDedupeStore | MemoryDedupeStore | None:
    """Return a store that does not block the event loop."""
    if store is None or isinstance(store, MemoryDedupeStore):
        return store
    if iscoroutinefunction(getattr(store, "begin", None)):
        return cast("AsyncDedupeStore", store)
    return _InThread(cast("DedupeStore", store))


def _roll_back() -> None:
    """Roll back what the request has done. The handler's error ends here, not in the decorator."""
    for connection in connections.all(initialized_only=True):
        if connection.in_atomic_block:
            connection.set_rollback(True)


class _InThread:
    """Runs a blocking store where Django's database connections are."""

    def __init__(self, store: DedupeStore) -> None:
        self._store = store

    async def begin(self, event_id: str, /) -> Lease:
        return await sync_to_async(self._store.begin)(event_id)

    async def done(self, event_id: str, token: str, /) -> None:
        await sync_to_async(self._store.done)(event_id, token)

    async def release(self, event_id: str, token: str, /) -> None:
        await sync_to_async(self._store.release)(event_id, token)
