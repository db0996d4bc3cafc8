"""Checks stores of users by rules that have the same names in every SDK."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from inspect import isawaitable
from secrets import token_hex
from typing import NoReturn

from .._generated.names import BaseError
from ._receiver import Awaited, run
from ._store import AsyncDedupeStore, DedupeStore, Lease, LeaseState

_SHORT_LEASE = 1.0
_LONG_LEASE = 300.0
_PATIENCE = 5.0
_PAUSE = 0.05
_CALLERS = 50
_OTHER_TOKEN = "another-token"


def check_dedupe_store(make_store: Callable[[float], DedupeStore]) -> None:
    """Check a store of your own, on the database that it uses.

        def test_the_store() -> None:
            check_dedupe_store(lambda lease: MyStore(database, lease=lease))

    `make_store` makes a store with leases of so many seconds. The check takes some seconds, because
    one lease has to end. The IDs of its events begin with `check-` and are new in each run. It uses
    the store in 50 threads at once.

    Raises the base error, which names each rule that the store breaks.
    """

    async def make(lease: float) -> _Subject:
        return _Blocking(make_store(lease))

    run(_check(make))


async def check_async_dedupe_store(
    make_store: Callable[[float], AsyncDedupeStore | Awaitable[AsyncDedupeStore]],
) -> None:
    """Check an async store of your own, on the database that it uses.

    `make_store` may be async. The rest is as for `check_dedupe_store`. It uses the store in 50
    tasks at once, on asyncio.

    Raises the base error, which names each rule that the store breaks.
    """

    async def make(lease: float) -> _Subject:
        store = make_store(lease)
        return _Async(await store if isawaitable(store) else store)

    await _check(make)


class _Subject:
    """A store under the check."""

    store: AsyncDedupeStore

    async def begin_at_once(self, event_id: str) -> list[Lease]:
        """Claim an event as many callers do at once."""
        raise NotImplementedError

    async def pause(self) -> None:
        """Wait for a lease."""
        raise NotImplementedError

    async def begin(self, event_id: str) -> str:
        """Take a lease, and return its token."""
        lease = await self.store.begin(event_id)
        if lease.state != "new":
            _fail(f"The state was {lease.state} instead of new.")
        if not isinstance(lease.token, str) or not lease.token:
            _fail("The lease had no token.")
        return lease.token

    async def expect(self, expected: LeaseState, event_id: str, when: str) -> None:
        """Check the state of an event."""
        state = (await self.store.begin(event_id)).state
        if state != expected:
            _fail(f"The state was {state} instead of {expected} {when}.")


class _Blocking(_Subject):
    def __init__(self, store: DedupeStore) -> None:
        self.store = Awaited(store)
        self._begin = store.begin

    async def begin_at_once(self, event_id: str) -> list[Lease]:
        with ThreadPoolExecutor(_CALLERS) as threads:
            return list(threads.map(self._begin, [event_id] * _CALLERS))

    async def pause(self) -> None:
        time.sleep(_PAUSE)


class _Async(_Subject):
    def __init__(self, store: AsyncDedupeStore) -> None:
        self.store = store

    async def begin_at_once(self, event_id: str) -> list[Lease]:
        return await asyncio.gather(*(self.store.begin(event_id) for _ in range(_CALLERS)))

    async def pause(self) -> None:
        await asyncio.sleep(_PAUSE)


async def _check(make: Callable[[float], Awaitable[_Subject]]) -> None:
    prefix = f"check-{token_hex(16)}"
    broken: list[str] = []
    for number, (rule, check) in enumerate(_RULES.items()):
        failure = await _failure_of(check, make, f"{prefix}-{number}")
        broken.extend([f"- {rule}: {failure}"] if failure else [])
    if broken:
        raise BaseError("\n".join(["The store breaks these rules:", *broken]), outcome=None)


async def _failure_of(
    check: _Rule, make: Callable[[float], Awaitable[_Subject]], event_id: str
) -> str:
    try:
        await check(await make(_SHORT_LEASE if check is _lease_ends else _LONG_LEASE), event_id)
    except Exception as error:  # noqa: BLE001 - a store may raise anything
        return str(error) or type(error).__name__
    return ""


async def _one_caller(subject: _Subject, event_id: str) -> None:
    states = [lease.state for lease in await subject.begin_at_once(event_id)]
    taken = states.count("new")
    if taken != 1:
        _fail(f"{_CALLERS} callers at once got {taken} leases.")
    other = {*states} - {"new", "in_progress"}
    if other:
        _fail(f"The state was {other.pop()} before the event was handled.")


async def _done(subject: _Subject, event_id: str) -> None:
    token = await subject.begin(event_id)
    await subject.store.done(event_id, token)
    await subject.expect("done", event_id, "after done")
    await subject.store.done(event_id, token)
    await subject.store.release(event_id, token)
    await subject.expect("done", event_id, "after done, a second done and release")


async def _other_token(subject: _Subject, event_id: str) -> None:
    await subject.begin(event_id)
    await subject.store.release(event_id, _OTHER_TOKEN)
    await subject.expect("in_progress", event_id, "after release with another token")
    await subject.store.done(event_id, _OTHER_TOKEN)
    await subject.expect("in_progress", event_id, "after done with another token")


async def _released(subject: _Subject, event_id: str) -> None:
    old = await subject.begin(event_id)
    await subject.store.release(event_id, old)
    token = await subject.begin(event_id)
    if token == old:
        _fail("Two leases had the same token.")
    # The old token of an event has no power over its new lease.
    await subject.store.done(event_id, old)
    await subject.store.release(event_id, old)
    when = "after done and release with the token of an old lease"
    await subject.expect("in_progress", event_id, when)
    await subject.store.done(event_id, token)
    await subject.expect("done", event_id, "after done")


async def _lease_ends(subject: _Subject, event_id: str) -> None:
    old = await subject.begin(event_id)
    end = time.monotonic() + _PATIENCE
    lease = await subject.store.begin(event_id)
    while lease.state != "new":
        if time.monotonic() > end:
            _fail(f"A lease of {_SHORT_LEASE:g} s is still {lease.state}.")
        await subject.pause()
        lease = await subject.store.begin(event_id)
    if lease.token == old:
        _fail("Two leases had the same token.")


async def _other_ids(subject: _Subject, event_id: str) -> None:
    await subject.store.done(event_id, await subject.begin(event_id))
    # A database may compare texts regardless of case, or of spaces at the end.
    for other in (f"{event_id}-b", event_id.upper(), f"{event_id} "):
        token = await subject.begin(other)
        await subject.expect("in_progress", other, "after begin")
        await subject.store.release(other, token)
    await subject.expect("done", event_id, "after events with other IDs")


_Rule = Callable[[_Subject, str], Awaitable[None]]

_RULES: dict[str, _Rule] = {
    "one caller gets the lease": _one_caller,
    "a repeat of a handled event is done": _done,
    "another token neither ends nor finishes a lease": _other_token,
    "a released event is new": _released,
    "a lease that ended is new": _lease_ends,
    "ids do not touch each other": _other_ids,
}


def _fail(what: str) -> NoReturn:
    raise BaseError(what, outcome=None)
