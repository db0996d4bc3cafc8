"""Stores event ids, so that each event is handled once."""

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
"""`new`: the caller handles the event. `in_progress`: another does. `done`: it was handled."""


class Lease(NamedTuple):
    """A time-limited claim of an event."""

    state: LeaseState
    token: str = ""
    """Identifies a new lease. Pass it to `done` or `release`."""

    @property
    def holder(self) -> str:
        """The process that has the lease, or an empty text. A `HeldLease` knows it."""
        return ""


class HeldLease(Lease):
    """A lease in progress whose holder the store knows. As a pair, it equals any other in progress."""

    def __new__(cls, holder: str) -> HeldLease:
        """Create a lease in progress. `holder` names its process, such as `web-3:812`."""
        lease = super().__new__(cls, "in_progress")
        lease._holder = holder
        return lease

    _holder: str

    @property
    def holder(self) -> str:
        """The process that has the lease."""
        return self._holder


class DedupeStore(Protocol):
    """Stores event ids. All processes that receive events share one store.

    An event is handled at least once, because a process may die between its work and `done`. Make
    the work idempotent, or do it in one transaction with the store.
    """

    def begin(self, event_id: str, /) -> Lease:
        """Claim an event atomically. Only one of several callers gets a new lease.

        A lease expires after some minutes, because its holder may have died. Where it expires
        before the service's next attempt, a crash delays an event by one attempt.
        """

    def done(self, event_id: str, token: str, /) -> object:
        """Mark an event as handled. Does nothing if the token is not that of the current lease.

        Keep the id for longer than the service retries deliveries.
        """

    def release(self, event_id: str, token: str, /) -> object:
        """Release an event. Does nothing if the token is not that of the current lease."""


class AsyncDedupeStore(Protocol):
    """A `DedupeStore` with async methods."""

    async def begin(self, event_id: str, /) -> Lease:
        """See `DedupeStore.begin`."""

    async def done(self, event_id: str, token: str, /) -> object:
        """See `DedupeStore.done`."""

    async def release(self, event_id: str, token: str, /) -> object:
        """See `DedupeStore.release`."""


class _Entry(NamedTuple):
    token: str
    end: float


class MemoryDedupeStore:
    """Stores event ids in the memory of this process, for tests and for single processes.

    Threads and tasks may share it. It never blocks on I/O.
    """

    __slots__ = ("_keep", "_kept", "_lease", "_leased", "_lock", "_now", "_tokens")

    def __init__(
        self,
        *,
        lease: float = WEBHOOKS_DEDUPE_LEASE_MS / 1_000,
        keep: float = WEBHOOKS_DEDUPE_KEPT_MS / 1_000,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Create a store.

        `lease` is how long a lease lasts (5 minutes by default) and `keep` how long a handled event
        is remembered (48 hours by default), in seconds. `now` is the clock, in seconds since 1970.

        Raises the base error for a negative time and for anything but a number.
        """
        self._lease = check_size("lease", lease)
        self._keep = check_size("keep", keep)
        self._now = now
        self._lock = Lock()
        self._tokens = count(1)
        # Each in the order in which its entries expire.
        self._leased: OrderedDict[str, _Entry] = OrderedDict()
        self._kept: OrderedDict[str, _Entry] = OrderedDict()

    def begin(self, event_id: str, /) -> Lease:
        """Claim an event, unless it is in progress or done."""
        with self._lock:
            now = self._drop_expired()
            if event_id in self._kept:
                return Lease("done")
            if event_id in self._leased:
                return Lease("in_progress")
            token = str(next(self._tokens))
            self._leased[event_id] = _Entry(token, now + self._lease)
            return Lease("new", token)

    def done(self, event_id: str, token: str, /) -> None:
        """Mark an event as handled. Does nothing if the token is not that of the current lease."""
        with self._lock:
            now = self._drop_expired()
            if self._end(event_id, token):
                self._kept[event_id] = _Entry(token, now + self._keep)

    def release(self, event_id: str, token: str, /) -> None:
        """Release an event. Does nothing if the token is not that of the current lease."""
        with self._lock:
            self._drop_expired()
            self._end(event_id, token)

    def _end(self, event_id: str, token: str) -> bool:
        entry = self._leased.get(event_id)
        if entry is None or entry.token != token:
            return False
        del self._leased[event_id]
        return True

    def _drop_expired(self) -> float:
        """Drop expired entries, and return the time."""
        now = self._now()
        for entries in (self._leased, self._kept):
            while entries and next(iter(entries.values())).end <= now:
                entries.popitem(last=False)
        return now
