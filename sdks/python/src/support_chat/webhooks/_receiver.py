"""Receives deliveries: one flow for asynchronous and for blocking servers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from inspect import iscoroutinefunction
from logging import getLogger
from typing import Any, TypeAlias, TypeVar

from .._generated.names import BaseError
from .._generated.policy import (
    WEBHOOKS_REFUSALS,
    WEBHOOKS_RESPONSES_DUPLICATE,
    WEBHOOKS_RESPONSES_FAILED,
    WEBHOOKS_RESPONSES_HANDLED,
    WEBHOOKS_RESPONSES_IN_PROGRESS,
)
from ._error import WebhookVerificationError
from ._event import Event
from ._headers import WebhookHeaders
from ._store import AsyncDedupeStore, DedupeStore, Lease, LeaseState
from ._verifier import Webhooks

_T = TypeVar("_T")

OnError: TypeAlias = Callable[[Exception], object]
"""An error hook, called with every refusal and failure. The sender never gets the reason."""

_STATUSES: dict[LeaseState, int] = {
    "done": WEBHOOKS_RESPONSES_DUPLICATE,
    "in_progress": WEBHOOKS_RESPONSES_IN_PROGRESS,
}
_METHODS = ("begin", "done", "release")


class Receiver:
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

    async def receive(self, body: bytes, headers: WebhookHeaders) -> int:
        """Verify a delivery and handle its event, unless that is in progress or done."""
        try:
            event = self._webhooks.unwrap(body, headers)
        except WebhookVerificationError as error:
            return self.refuse(error)
        except Exception as error:  # noqa: BLE001 - the clock is the caller's
            return self.fail(error)
        try:
            lease = await self._store.begin(event.id)
            if lease.state != "new":
                return _STATUSES[lease.state]
        except Exception as error:  # noqa: BLE001 - a store may raise anything
            return self.fail(error)
        return await self._handle_under(lease, event)

    def refuse(self, error: WebhookVerificationError) -> int:
        """Report a refusal, and return its status."""
        self._report(error)
        return WEBHOOKS_REFUSALS[error.code]

    def fail(self, error: Exception) -> int:
        """Report a failure, and return the status that requests a retry."""
        self._report(error)
        return WEBHOOKS_RESPONSES_FAILED

    async def _handle_under(self, lease: Lease, event: Event) -> int:
        try:
            await self._handle(event)
        except Exception as error:  # noqa: BLE001 - a handler may raise anything
            status = self.fail(error)
            await self._release(lease, event)
            return status
        except BaseException:  # the task or the process ends
            await self._release(lease, event)
            raise
        try:
            await self._store.done(event.id, lease.token)
        except Exception as error:  # noqa: BLE001 - a store may raise anything
            return self.fail(error)
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
    """Adapts a blocking store that never waits."""

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


def check_callables(*, are_async: bool, handler: object, store: object, on_error: object) -> None:
    """Reject callables that would fail or block the event loop on every delivery."""
    _check_callable("handler", handler, is_async=are_async)
    for method in [] if store is None else _METHODS:
        _check_callable(f"store.{method}", getattr(store, method, None), is_async=are_async)
    if on_error is not None:
        _check_callable("on_error", on_error, is_async=False)


def _check_callable(name: str, value: object, *, is_async: bool) -> None:
    # An object is async if its class has an async `__call__`.
    found = callable(value) and any(map(iscoroutinefunction, [value, type(value).__call__]))
    if not callable(value) or found != is_async:
        raise BaseError(f"{name} must be {'an async' if is_async else 'a plain'} function.")


def declared_length(text: str) -> int | None:
    """Parse a Content-Length. Returns None for anything invalid."""
    # 18 digits exceed every body, and `int` accepts only some thousands of them.
    return int(text[:18]) if text.isascii() and text.isdecimal() else None


def log(error: Exception) -> None:
    """Log an error, if there is no error hook."""
    logger = getLogger(__package__)
    if isinstance(error, WebhookVerificationError):
        logger.warning("A delivery was refused: %s", error)
    else:
        logger.error("An event was not handled.", exc_info=error)
