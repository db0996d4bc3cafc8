"""The store in memory."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from support_chat import SupportChatError
from support_chat.webhooks import AsyncDedupeStore, DedupeStore, Lease, MemoryDedupeStore

FIVE_MINUTES = 300
TWO_DAYS = 172_800


class Clock:
    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> MemoryDedupeStore:
    return MemoryDedupeStore(now=clock)


@pytest.mark.parametrize("method", ["done", "release"])
@pytest.mark.parametrize("token", ["", "other"])
def test_a_token_of_no_lease_changes_nothing(
    store: MemoryDedupeStore, method: str, token: str
) -> None:
    call: Callable[[str, str], None] = getattr(store, method)
    call("a", token)
    lease = store.begin("a")
    assert lease.state == "new"
    call("a", token)
    assert store.begin("a").state == "in_progress"
    store.done("a", lease.token)
    call("a", lease.token)
    assert store.begin("a").state == "done"


@pytest.mark.parametrize("method", ["done", "release"])
def test_the_token_of_a_lease_that_ended_changes_nothing(
    store: MemoryDedupeStore, clock: Clock, method: str
) -> None:
    late = store.begin("a")
    clock.time += FIVE_MINUTES
    getattr(store, method)("a", late.token)
    assert store.begin("a").state == "new"
    getattr(store, method)("a", late.token)
    assert store.begin("a").state == "in_progress"


def test_times_are_those_of_the_options(clock: Clock) -> None:
    store = MemoryDedupeStore(lease=2, keep=10, now=clock)
    store.begin("a")
    clock.time += 1.9
    assert store.begin("a").state == "in_progress"
    clock.time += 0.1
    lease = store.begin("a")
    assert lease.state == "new"
    store.done("a", lease.token)
    clock.time += 9.9
    assert store.begin("a").state == "done"
    clock.time += 0.1
    assert store.begin("a").state == "new"


def test_keeps_no_more_than_what_is_alive(store: MemoryDedupeStore, clock: Clock) -> None:
    for number in range(3_000):
        clock.time += 1
        lease = store.begin(f"leased {number}")
        if number % 2:
            store.done(f"leased {number}", lease.token)
    assert len(store._leased) <= FIVE_MINUTES
    clock.time += TWO_DAYS
    store.begin("last")
    assert (len(store._leased), len(store._kept)) == (1, 0)


def test_a_clock_that_is_put_back_only_keeps_entries_longer(
    store: MemoryDedupeStore, clock: Clock
) -> None:
    store.begin("a")
    clock.time -= TWO_DAYS
    store.begin("b")
    clock.time += FIVE_MINUTES + 1
    assert store.begin("a").state == "in_progress"
    clock.time += TWO_DAYS
    assert [store.begin(name).state for name in "ab"] == ["new", "new"]


def test_one_of_many_threads_gets_an_event() -> None:
    store = MemoryDedupeStore()
    with ThreadPoolExecutor(8) as threads:
        states = list(threads.map(lambda number: store.begin(str(number % 50)).state, range(4_000)))
    assert states.count("new") == 50


@pytest.mark.parametrize(
    "options", [{"lease": -1}, {"keep": float("nan")}, {"lease": "5"}], ids=str
)
def test_a_time_that_means_nothing_is_refused(options: Any) -> None:
    with pytest.raises(SupportChatError, match="must be 0 or more"):
        MemoryDedupeStore(**options)


class Database:
    """A store as integrators write one."""

    async def begin(self, event_id: str, /) -> Lease:
        return Lease("new", event_id)

    async def done(self, event_id: str, token: str, /) -> None:
        pass

    async def release(self, event_id: str, token: str, /) -> None:
        pass


def test_type_checkers_accept_stores() -> None:
    stores: list[DedupeStore] = [MemoryDedupeStore()]
    awaited: list[AsyncDedupeStore] = [Database()]
    assert len([*stores, *awaited]) == 2
