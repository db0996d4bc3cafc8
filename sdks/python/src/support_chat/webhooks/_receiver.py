"""Receives deliveries: one flow for asynchronous and for blocking callers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from inspect import iscoroutinefunction
from logging import getLogger
from typing import Any, TypeAlias, TypeVar

from .._generated.names import BaseError
from .._generated.policy import (
    WEBHOOKS_RESPONSES_DUPLICATE,
    WEBHOOKS_RESPONSES_FAILED,
    WEBHOOKS_RESPONSES_HANDLED,
    WEBHOOKS_RESPONSES_IN_PROGRESS,
)
from ._body import WebhookBody
from ._error import WebhookVerificationError
from ._event import Event
from ._headers import WebhookHeaders
from ._store import AsyncDedupeStore, DedupeStore, Lease, MemoryDedupeStore
from ._verifier import Webhooks

_T = TypeVar("_T")

OnError: TypeAlias = Callable[[Exception], object]
"""An error hook, called with every refusal and failure. The sender never gets the reason."""

_METHODS = ("begin", "done", "release")


class AsyncWebhookReceiver:
    """Verifies and handles deliveries that an async server or a queue hands over.

    Tasks may share it.
    """

    __slots__ = ("_flow",)

    def __init__(
        self,
        webhooks: Webhooks,
        handler: Callable[[Event], Awaitable[object]],
        *,
        store: AsyncDedupeStore | MemoryDedupeStore | None = None,
        on_error: OnError | None = None,
    ) -> None:
        """Create a receiver.

        `handler` does the work, and `AsyncWebhookRouter` is one. If it raises, the service retries
        the delivery. It also receives events of unknown kinds, as `UnknownEvent`. With a `store`,
        an event that was handled or is in progress is not handled again. `on_error`, a plain
        function, is called with every refusal (`WebhookVerificationError`), with the errors of the
        handler and the store, and with the base error if another process handles the event. Without
        it, they are logged to the logger of this package.

        Raises the base error for a handler or a store that is not async, because it would block the
        event loop.
        """
        self._flow = async_flow(webhooks, handler, store, on_error)

    async def receive(self, body: WebhookBody, headers: WebhookHeaders) -> int:
        """Verify a delivery, handle its event, and return the status of the response.

        Pass the raw body, not a parsed one. Never raises, except when its task is cancelled. Send
        the status without a body, because the reason is not for the sender.
        """
        return await self._flow.receive(body, headers)


class WebhookReceiver:
    """Verifies and handles deliveries that a server or a queue hands over.

    Threads may share it.
    """

    __slots__ = ("_flow",)

    def __init__(
        self,
        webhooks: Webhooks,
        handler: Callable[[Event], object],
        *,
        store: DedupeStore | None = None,
        on_error: OnError | None = None,
    ) -> None:
        """Create a receiver.

        `handler` does the work, and `WebhookRouter` is one. If it raises, the service retries the
        delivery. It also receives events of unknown kinds, as `UnknownEvent`. With a `store`, an
        event that was handled or is in progress is not handled again. `on_error` is called with
        every refusal (`WebhookVerificationError`), with the errors of the handler and the store,
        and with the base error if another process handles the event. Without it, they are logged to
        the logger of this package.

        Raises the base error for an async function, because nothing would await it.
        """
        self._flow = blocking_flow(webhooks, handler, store, on_error)

    def receive(self, body: WebhookBody, headers: WebhookHeaders) -> int:
        """Verify a delivery, handle its event, and return the status of the response.

        Pass the raw body, not a parsed one. Never raises, except for what ends the process. Send
        the status without a body, because the reason is not for the sender.
        """
        return run(self._flow.receive(body, headers))


def async_flow(
    webhooks: Webhooks,
    handler: Callable[[Event], Awaitable[object]],
    store: AsyncDedupeStore | MemoryDedupeStore | None,
    on_error: OnError | None,
) -> Flow:
    """Return the flow of an event loop. Rejects what would block it."""
    awaited = Awaited(store) if isinstance(store, MemoryDedupeStore) else store
    _check_callables(are_async=True, handler=handler, store=awaited, on_error=on_error)
    return Flow(webhooks, handler, awaited, on_error)


def blocking_flow(
    webhooks: Webhooks,
    handler: Callable[[Event], object],
    store: DedupeStore | None,
    on_error: OnError | None,
) -> Flow:
    """Return a flow that never suspends, for `run`. Rejects what would have to be awaited."""
    _check_callables(are_async=False, handler=handler, store=store, on_error=on_error)

    async def handle(event: Event) -> None:
        handler(event)

    return Flow(webhooks, handle, None if store is None else Awaited(store), on_error)


class Flow:
    """Verifies and handles deliveries, and returns the status of the response."""

    __slots__ = ("_handle", "_on_error", "_store", "_webhooks")

    def __init__(
        self,
        webhooks: Webhooks,
        handle: Callable[[Event], Awaitable[object]],
        store: AsyncDedupeStore | None,
        on_error: OnError | None,
    ) -> None:
        self._webhooks = webhooks
        self._handle = handle
        self._store = _NoStore() if store is None else store
        self._on_error = log if on_error is None else on_error

    @property
    def max_body_bytes(self) -> int:
        """The maximum size of a body, in bytes."""
        return self._webhooks.max_body_bytes

    async def receive(self, body: WebhookBody, headers: WebhookHeaders) -> int:
        """Verify a delivery and handle its event, unless that is in progress or done."""
        try:
            event = self._webhooks.unwrap(body, headers)
        except Exception as error:  # noqa: BLE001 - the clock is the caller's
            return self.reject(error)
        try:
            lease = await self._store.begin(event.id)
            if lease.state != "new":
                return self._leave(lease, event)
        except Exception as error:  # noqa: BLE001 - a store may raise anything
            return self._fail(error)
        return await self._handle_under(lease, event)

    def _leave(self, lease: Lease, event: Event) -> int:
        """Return the status for an event that is in progress or done."""
        if lease.state == "done":
            return WEBHOOKS_RESPONSES_DUPLICATE
        if lease.state != "in_progress":
            raise BaseError(f"The store returned the unknown state {lease.state!r}.", outcome=None)
        holder = lease.holder or "another process"
        text = f"{event.id} is being handled by {holder}. The service delivers it again."
        self._report(BaseError(text, outcome=None))
        return WEBHOOKS_RESPONSES_IN_PROGRESS

    def reject(self, error: Exception) -> int:
        """Report why a delivery is not even an event, and return the status."""
        status = self._fail(error)
        return error.status if isinstance(error, WebhookVerificationError) else status

    def _fail(self, error: Exception) -> int:
        """Report a failure, and return the status that requests a retry."""
        self._report(error)
        return WEBHOOKS_RESPONSES_FAILED

    async def _handle_under(self, lease: Lease, event: Event) -> int:
        try:
            await self._handle(event)
        except Exception as error:  # noqa: BLE001 - a handler may raise anything
            status = self._fail(error)
            await self._release(lease, event)
            return status
        except BaseException:  # the task or the process ends
            await self._release(lease, event)
            raise
        try:
            await self._store.done(event.id, lease.token)
        except Exception as error:  # noqa: BLE001 - a store may raise anything
            return self._fail(error)
        return WEBHOOKS_RESPONSES_HANDLED

    async def _release(self, lease: Lease, event: Event) -> None:
        try:
            await self._store.release(event.id, lease.token)
        except Exception as error:  # noqa: BLE001 - a store may raise anything
            self._report(error)

    def _report(self, error: Exception) -> None:
        with suppress(Exception):
            self._on_error(error)


class _NoStore:
    """Replaces an absent store. Every event is new."""

    async def begin(self, _event_id: str, /) -> Lease:
        return Lease("new")

    async def done(self, _event_id: str, _token: str, /) -> None:
        pass

    async def release(self, _event_id: str, _token: str, /) -> None:
        pass


class Awaited:
    """Adapts a store whose methods return at once, or that has a thread of its own."""

    def __init__(self, store: DedupeStore) -> None:
        self._store = store

    async def begin(self, event_id: str, /) -> Lease:
        return self._store.begin(event_id)

    async def done(self, event_id: str, token: str, /) -> None:
        self._store.done(event_id, token)

    async def release(self, event_id: str, token: str, /) -> None:
        self._store.release(event_id, token)


def run(flow: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine that never suspends."""
    try:
        flow.send(None)
    except StopIteration as end:
        result: _T = end.value
        return result
    raise RuntimeError("A receiver without an event loop cannot await anything.")


def _check_callables(*, are_async: bool, handler: object, store: object, on_error: object) -> None:
    """Reject callables that would fail or block the event loop on every delivery."""
    check_callable("handler", handler, is_async=are_async)
    for method in [] if store is None else _METHODS:
        check_callable(f"store.{method}", getattr(store, method, None), is_async=are_async)
    if on_error is not None:
        check_callable("on_error", on_error, is_async=False)


def check_callable(name: str, value: object, *, is_async: bool) -> None:
    """Reject anything but a plain function, or anything but an async one."""
    # An object is async if its class has an async `__call__`.
    found = callable(value) and any(map(iscoroutinefunction, [value, type(value).__call__]))
    if not callable(value) or found != is_async:
        raise BaseError(f"{name} must be {'an async' if is_async else 'a plain'} function.")


def log(error: Exception) -> None:
    """Log an error, if there is no error hook."""
    logger = getLogger(__package__)
    if isinstance(error, WebhookVerificationError):
        logger.warning("A delivery was refused: %s", error)
    else:
        logger.error("An event was not handled.", exc_info=error)
