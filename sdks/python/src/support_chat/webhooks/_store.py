"""What remembers events, so that each is handled once."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from threading import Lock
from typing import Literal, NamedTuple, Protocol, TypeAlias

from .._generated.policy import WEBHOOKS_DEDUPE_KEPT_MS, WEBHOOKS_DEDUPE_LEASE_MS
from ._verifier import check_size

LeaseState: TypeAlias = Literal["new", "in_progress", "done"]
"""Whether an event is the caller's to handle, is being handled, or was handled."""


class Lease(NamedTuple):
    """What a store knows of an event."""

    state: LeaseState
    token: str = ""
    """Of a new lease: tells it from every other one. Pass it to `done` or `release`."""


class DedupeStore(Protocol):
    """Remembers events by their ids. Share one between all processes that receive events.

    Events are handled at least once: a process may die between its work and `done`. So let the work
    be idempotent, or do it in one transaction with the store.
    """

    def begin(self, event_id: str, /) -> Lease:
        """Take an event, in one step: of several callers one gets the new lease.

        A lease runs out after some minutes, as whoever took it may have died.
        """

    def done(self, event_id: str, token: str, /) -> object:
        """Note that an event was handled; nothing where the token is not of its current lease.

        Keep the note for longer than the service repeats deliveries.
        """

    def release(self, event_id: str, token: str, /) -> object:
        """Give an event back; nothing where the token is not of its current lease."""


class AsyncDedupeStore(Protocol):
    """A `DedupeStore` that is awaited."""

    async def begin(self, event_id: str, /) -> Lease:
        """As `DedupeStore.begin`."""

    async def done(self, event_id: str, token: str, /) -> object:
        """As `DedupeStore.done`."""

    async def release(self, event_id: str, token: str, /) -> object:
        """As `DedupeStore.release`."""


class _Entry(NamedTuple):
    token: str
    end: float


class MemoryDedupeStore:
    """Remembers events in this process alone: for tests, and where there is one process only.

    It may be shared between threads and tasks; it never waits for anything but memory.
    """

    __slots__ = ("_keep", "_kept", "_lease", "_leased", "_lock", "_now", "_tokens")

    def __init__(
        self,
        *,
        lease: float = WEBHOOKS_DEDUPE_LEASE_MS / 1_000,
        keep: float = WEBHOOKS_DEDUPE_KEPT_MS / 1_000,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Take how long, in seconds, a lease holds (5 minutes) and a handled event is known (48 h).

        `now` is the clock, in seconds since 1970.

        Raises the base error for a time that is negative or no number.
        """
        self._lease = check_size("lease", lease)
        self._keep = check_size("keep", keep)
        self._now = now
        self._lock = Lock()
        self._tokens = count(1)
        # Each in the order in which its entries end.
        self._leased: OrderedDict[str, _Entry] = OrderedDict()
        self._kept: OrderedDict[str, _Entry] = OrderedDict()

    def begin(self, event_id: str, /) -> Lease:
        """Take an event, unless it is being handled or was handled."""
        with self._lock:
            now = self._drop_ended()
            if event_id in self._kept:
                return Lease("done")
            if event_id in self._leased:
                return Lease("in_progress")
            token = str(next(self._tokens))
            self._leased[event_id] = _Entry(token, now + self._lease)
            return Lease("new", token)

    def done(self, event_id: str, token: str, /) -> None:
        """Note that an event was handled; nothing where the token is not of its current lease."""
        with self._lock:
            now = self._drop_ended()
            if self._end(event_id, token):
                self._kept[event_id] = _Entry(token, now + self._keep)

    def release(self, event_id: str, token: str, /) -> None:
        """Give an event back; nothing where the token is not of its current lease."""
        with self._lock:
            self._drop_ended()
            self._end(event_id, token)

    def _end(self, event_id: str, token: str) -> bool:
        entry = self._leased.get(event_id)
        if entry is None or entry.token != token:
            return False
        del self._leased[event_id]
        return True

    def _drop_ended(self) -> float:
        """Forget what has ended, each entry once, and give the time."""
        now = self._now()
        for entries in (self._leased, self._kept):
            while entries and next(iter(entries.values())).end <= now:
                entries.popitem(last=False)
        return now
