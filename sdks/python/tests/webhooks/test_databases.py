"""The stores in databases, each with every client that it takes."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support_chat import SupportChatError
from support_chat.testing import check_async_dedupe_store, check_dedupe_store
from support_chat.webhooks import (
    AsyncDedupeStore,
    AsyncPostgresDedupeStore,
    AsyncRedisDedupeStore,
    DedupeStore,
    Lease,
    MemoryDedupeStore,
    PostgresDedupeStore,
    SqliteDedupeStore,
)
from webhooks.databases import ASYNC_STORES, STORES


def name(value: Any) -> str:
    return str(value.__name__)


def clients_of(store: type, stores: list[tuple[Any, Any]]) -> list[Any]:
    return [client for each, client in stores if each is store]


each_store = pytest.mark.parametrize(("store", "client"), STORES, ids=name)
each_async_store = pytest.mark.parametrize(("store", "client"), ASYNC_STORES, ids=name)


def set_up(store: Any) -> Any:
    if hasattr(store, "setup"):
        store.setup()
        store.setup()
    return store


async def set_up_async(store: Any) -> Any:
    if hasattr(store, "setup"):
        await store.setup()
    return store


@each_store
def test_a_store_keeps_the_rules(store: Any, client: Any, tmp_path: Path) -> None:
    with client(tmp_path) as connected:
        check_dedupe_store(lambda lease: set_up(store(connected, lease=lease)))


@each_async_store
def test_an_async_store_keeps_the_rules(store: Any, client: Any, tmp_path: Path) -> None:
    async def main() -> None:
        async with client(tmp_path) as connected:
            await check_async_dedupe_store(
                lambda lease: set_up_async(store(connected, lease=lease))
            )

    asyncio.run(main())


AT_ONCE = 8


@pytest.mark.parametrize("client", clients_of(PostgresDedupeStore, STORES), ids=name)
def test_many_create_a_table_at_once(client: Any, tmp_path: Path) -> None:
    with client(tmp_path) as connected, ThreadPoolExecutor(AT_ONCE) as threads:
        for _ in range(10):  # they meet in the table, in its index, or not at all
            store = PostgresDedupeStore(connected, table=f"at_once_{secrets.token_hex(8)}")
            for done in [threads.submit(store.setup) for _ in range(AT_ONCE)]:
                done.result()


@pytest.mark.parametrize("client", clients_of(AsyncPostgresDedupeStore, ASYNC_STORES), ids=name)
def test_many_tasks_create_a_table_at_once(client: Any, tmp_path: Path) -> None:
    async def main() -> None:
        async with client(tmp_path) as connected:
            for _ in range(10):
                store = AsyncPostgresDedupeStore(connected, table=f"at_once_{secrets.token_hex(8)}")
                await asyncio.gather(*(store.setup() for _ in range(AT_ONCE)))

    asyncio.run(main())


def new_id() -> str:
    return f"evt_{secrets.token_hex(8)}"


@each_store
def test_a_store_tells_who_has_the_lease_and_for_how_long(
    store: Any, client: Any, tmp_path: Path
) -> None:
    event_id = new_id()
    with client(tmp_path) as connected:
        mine = set_up(store(connected, holder="web-3 of 4", keep=0.001))
        lease = mine.begin(event_id)
        assert mine.begin(event_id) == Lease("in_progress")
        assert mine.begin(event_id).holder == "web-3 of 4"
        mine.done(event_id, lease.token)
        while mine.begin(event_id).state == "done":
            pass
        named = store(connected)
        other = new_id()
        named.begin(other)
        host, _, process = named.begin(other).holder.partition(":")
        assert host
        assert process.isdigit()


def test_the_memory_store_keeps_the_rules() -> None:
    check_dedupe_store(lambda lease: MemoryDedupeStore(lease=lease))


class Careless:
    """A store that looks before it writes, and compares no tokens."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def begin(self, event_id: str, /) -> Lease:
        if event_id.lower() in self.known:
            return Lease("done" if self.known[event_id.lower()] == "done" else "in_progress")
        secrets.token_hex(100_000)
        self.known[event_id.lower()] = "leased"
        return Lease("new", "token")

    def done(self, event_id: str, _token: str, /) -> None:
        self.known[event_id.lower()] = "done"

    def release(self, event_id: str, _token: str, /) -> None:
        self.known.pop(event_id.lower(), None)


def test_a_store_that_breaks_rules_is_told_which() -> None:
    with pytest.raises(SupportChatError) as caught:
        check_dedupe_store(lambda _lease: Careless())
    lines = str(caught.value).split("\n")
    assert [line.partition(": ")[0] for line in lines[-5:]] == [
        "- a repeat of a handled event is done",
        "- another token neither ends nor finishes a lease",
        "- a released event is new",
        "- a lease that ended is new",
        "- ids do not touch each other",
    ]


def test_an_error_of_a_store_is_a_broken_rule() -> None:
    class Broken(MemoryDedupeStore):
        def begin(self, event_id: str, /) -> Lease:
            raise ConnectionError("refused")

    with pytest.raises(SupportChatError, match="one caller gets the lease: refused"):
        check_dedupe_store(lambda lease: Broken(lease=lease))


@pytest.mark.parametrize("table", ["", "a b", "a;b", "a.b.c", "1a", 'a"', None, "ä"])
@pytest.mark.parametrize("store", [SqliteDedupeStore, PostgresDedupeStore])
def test_a_table_has_a_plain_name(store: Any, table: Any) -> None:
    client: Any = "events.db" if store is SqliteDedupeStore else Engine()
    with pytest.raises(SupportChatError, match="The table must be a name"):
        store(client, table=table)


class Engine:
    """What looks like an engine."""

    dialect = None


@pytest.mark.parametrize(("store", "_client"), [*STORES, *ASYNC_STORES], ids=name)
@pytest.mark.parametrize("client", [None, 1, object()])
def test_what_is_no_client_is_refused_at_construction(
    store: Any, _client: Any, client: Any
) -> None:
    with pytest.raises(SupportChatError, match=r"takes|is for"):
        store(client)


def test_a_client_of_the_twin_is_refused_at_construction(tmp_path: Path) -> None:
    async def main() -> None:
        for twin, client in ASYNC_STORES[:4]:
            blocking = dict.fromkeys(one for one, _ in STORES)
            [store] = [one for one in blocking if f"Async{one.__name__}" == twin.__name__]
            async with client(tmp_path) as connected:
                with pytest.raises(SupportChatError, match=f"{twin.__name__}"):
                    store(connected)

    asyncio.run(main())


@each_store
def test_a_time_that_means_nothing_is_refused(store: Any, client: Any, tmp_path: Path) -> None:
    with client(tmp_path) as connected:
        for option in ("lease", "keep"):
            with pytest.raises(SupportChatError, match=f"{option} must be 0 or more"):
                store(connected, **{option: -1})


def test_type_checkers_accept_the_stores(tmp_path: Path) -> None:
    stores: list[DedupeStore] = [SqliteDedupeStore(tmp_path / "events.db")]
    made: type[AsyncDedupeStore] = AsyncRedisDedupeStore
    assert stores
    assert made
