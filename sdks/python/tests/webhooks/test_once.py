"""Work and event in one transaction, with every client."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import aiosqlite
import asyncpg
import psycopg
import pytest
import sqlalchemy
from sqlalchemy import orm
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

from support_chat import SupportChatError
from support_chat.webhooks import (
    AsyncPostgresDedupeStore,
    AsyncSqliteDedupeStore,
    PostgresDedupeStore,
    SqliteDedupeStore,
)
from webhooks.databases import (
    PSYCOPG,
    django_connection,
    postgres_url,
    psycopg_pool_,
    sqlalchemy_url,
)


def new_id() -> str:
    return f"evt_{secrets.token_hex(8)}"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[PostgresDedupeStore]:
    with psycopg_pool_(tmp_path) as pool:
        store = PostgresDedupeStore(pool)
        store.setup()
        yield store


def test_an_event_is_new_until_its_transaction_is_committed(store: PostgresDedupeStore) -> None:
    event_id = new_id()
    with psycopg.connect(postgres_url()) as connection:
        assert store.once(event_id, connection)
        assert not store.once(event_id, connection)
        connection.rollback()
        with connection.transaction():
            assert store.once(event_id, connection)
        with connection.transaction():
            assert not store.once(event_id, connection)
    assert store.begin(event_id).state == "done"


def test_a_second_caller_waits_for_the_first(store: PostgresDedupeStore) -> None:
    event_id = new_id()
    with (
        psycopg.connect(postgres_url()) as first,
        psycopg.connect(postgres_url()) as second,
    ):
        assert store.once(event_id, first)
        results: list[bool] = []
        waiting = threading.Thread(target=lambda: results.append(store.once(event_id, second)))
        waiting.start()
        with psycopg.connect(postgres_url(), autocommit=True) as third:
            query = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = %s"
            while third.execute(query, [second.info.backend_pid]).fetchone() == (0,):
                pass
        assert results == []
        first.commit()
        waiting.join()
        assert results == [False]


def test_a_connection_without_a_transaction_is_refused(store: PostgresDedupeStore) -> None:
    with psycopg.connect(postgres_url(), autocommit=True) as connection:
        with pytest.raises(SupportChatError, match=r"connection\.transaction\(\)"):
            store.once(new_id(), connection)
        with connection.transaction():
            assert store.once(new_id(), connection)
    with pytest.raises(SupportChatError, match="takes a connection"):
        store.once(new_id(), object())


def test_sqlalchemy_has_connections_and_sessions(store: PostgresDedupeStore) -> None:
    engine = sqlalchemy.create_engine(sqlalchemy_url(PSYCOPG), future=True)
    event_id = new_id()
    with engine.connect() as connection:
        assert store.once(event_id, connection)
    with orm.Session(engine, future=True) as session:
        assert store.once(event_id, session)
        session.commit()
    with orm.Session(engine, future=True) as session:
        assert not store.once(event_id, session)
    engine.dispose()


def test_sqlalchemy_that_commits_each_statement_is_refused(store: PostgresDedupeStore) -> None:
    event_id = new_id()
    level = "AUTOCOMMIT"
    engine = sqlalchemy.create_engine(sqlalchemy_url(PSYCOPG), future=True, isolation_level=level)
    refused = pytest.raises(SupportChatError, match="AUTOCOMMIT")
    with engine.connect() as connection, refused:
        store.once(event_id, connection)
    with orm.Session(engine, future=True) as session, refused:
        store.once(event_id, session)
    engine.dispose()

    async def main() -> None:
        engine = create_async_engine(sqlalchemy_url("asyncpg"), isolation_level=level)
        once = AsyncPostgresDedupeStore(engine).once
        async with engine.connect() as connection:
            with pytest.raises(SupportChatError, match="AUTOCOMMIT"):
                await once(event_id, connection)
        await engine.dispose()

    asyncio.run(main())
    assert store.begin(event_id).state == "new"


def test_django_has_a_connection_for_each_thread(
    store: PostgresDedupeStore, tmp_path: Path
) -> None:
    from django.db import transaction

    event_id = new_id()
    with django_connection(tmp_path) as connection:
        with pytest.raises(SupportChatError, match=r"transaction\.atomic\(\)"):
            store.once(event_id, connection)
        for expected in (True, False):
            with transaction.atomic(using="postgres"):
                assert store.once(event_id, connection) is expected


def test_async_clients_of_postgresql(store: PostgresDedupeStore) -> None:
    async def main() -> None:
        await on_asyncpg()
        await on_psycopg()
        await on_sqlalchemy()

    async def on_asyncpg() -> None:
        event_id = new_id()
        connection = await asyncpg.connect(postgres_url())
        once = AsyncPostgresDedupeStore(connection).once
        with pytest.raises(SupportChatError, match=r"connection\.transaction\(\)"):
            await once(event_id, connection)
        for expected in (True, False):
            async with connection.transaction():
                assert await once(event_id, connection) is expected
        await connection.close()

    async def on_psycopg() -> None:
        event_id = new_id()
        connection = await psycopg.AsyncConnection.connect(postgres_url(), autocommit=True)
        async with connection:
            once = AsyncPostgresDedupeStore(connection).once
            with pytest.raises(SupportChatError, match=r"connection\.transaction\(\)"):
                await once(event_id, connection)
            for expected in (True, False):
                async with connection.transaction():
                    assert await once(event_id, connection) is expected
            with pytest.raises(SupportChatError, match="takes a connection"):
                await once(event_id, object())

    async def on_sqlalchemy() -> None:
        event_id = new_id()
        engine = create_async_engine(sqlalchemy_url("asyncpg"))
        once = AsyncPostgresDedupeStore(engine).once
        async with engine.connect() as connection:
            assert await once(event_id, connection)
        async with AsyncSession(engine) as session:
            assert await once(event_id, session)
            await session.commit()
        async with AsyncSession(engine) as session:
            assert not await once(event_id, session)
        await engine.dispose()

    asyncio.run(main())


def test_a_lease_does_not_keep_an_event_from_its_transaction(store: PostgresDedupeStore) -> None:
    event_id = new_id()
    store.begin(event_id)
    with psycopg.connect(postgres_url()) as connection:
        assert store.once(event_id, connection)


def test_clients_of_sqlite(tmp_path: Path) -> None:
    file = tmp_path / "shop.db"
    store = SqliteDedupeStore(file)
    store.setup()
    event_id = new_id()
    with closing(sqlite3.connect(file)) as connection:
        assert store.once(event_id, connection)
        connection.rollback()
        assert store.once(event_id, connection)
        connection.commit()
        assert not store.once(event_id, connection)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        with pytest.raises(SupportChatError, match="BEGIN IMMEDIATE"):
            store.once(event_id, connection)
        connection.execute("BEGIN IMMEDIATE")
        assert not store.once(event_id, connection)
    engine = sqlalchemy.create_engine(f"sqlite:///{file}")
    with engine.begin() as begun:
        assert not store.once(event_id, begun)
    engine.dispose()
    with pytest.raises(SupportChatError, match="takes a connection"):
        store.once(event_id, object())


def test_async_clients_of_sqlite(tmp_path: Path) -> None:
    file = tmp_path / "shop.db"

    async def main() -> None:
        store = AsyncSqliteDedupeStore(file)
        await store.setup()
        event_id = new_id()
        async with aiosqlite.connect(file) as connection:
            assert await store.once(event_id, connection)
            await connection.commit()
            assert not await store.once(event_id, connection)
            await connection.rollback()
        engine = create_async_engine(f"sqlite+aiosqlite:///{file}")
        async with engine.begin() as begun:
            assert not await store.once(event_id, begun)
        await engine.dispose()
        with pytest.raises(SupportChatError, match="takes a connection"):
            await store.once(event_id, object())

    asyncio.run(main())
