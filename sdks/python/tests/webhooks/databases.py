"""Every client that a store takes, on real databases: TEST_REDIS_URL and TEST_POSTGRES_URL.

`npm test` starts them. So does `node ../../scripts/services/run.ts redis postgres -- COMMAND`.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from contextlib import asynccontextmanager as async_context
from contextlib import contextmanager as context
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import aiosqlite
import asyncpg
import psycopg
import psycopg_pool
import redis
import redis.asyncio
import sqlalchemy
from psycopg.rows import dict_row
from sqlalchemy.ext.asyncio import create_async_engine

from support_chat.webhooks import (
    AsyncPostgresDedupeStore,
    AsyncRedisDedupeStore,
    AsyncSqliteDedupeStore,
    PostgresDedupeStore,
    RedisDedupeStore,
    SqliteDedupeStore,
)

Client: TypeAlias = Callable[[Path], AbstractContextManager[Any]]
AsyncClient: TypeAlias = Callable[[Path], AbstractAsyncContextManager[Any]]


def redis_url() -> str:
    return os.environ["TEST_REDIS_URL"]


def postgres_url() -> str:
    return os.environ["TEST_POSTGRES_URL"]


@context
def redis_client(_folder: Path) -> Iterator[Any]:
    with redis.Redis.from_url(redis_url()) as client:
        yield client


@context
def redis_client_of_text(_folder: Path) -> Iterator[Any]:
    with redis.Redis.from_url(redis_url(), decode_responses=True) as client:
        yield client


@context
def psycopg_pool_(_folder: Path) -> Iterator[Any]:
    # As users have it who want rows by name.
    pool = psycopg_pool.ConnectionPool(
        postgres_url(), max_size=8, kwargs={"row_factory": dict_row}, open=True
    )
    with pool:
        yield pool


@context
def psycopg_connection(_folder: Path) -> Iterator[Any]:
    with psycopg.connect(postgres_url()) as connection:
        yield connection


@context
def sqlalchemy_engine(_folder: Path) -> Iterator[Any]:
    engine = sqlalchemy.create_engine(sqlalchemy_url(PSYCOPG), pool_size=20, max_overflow=40)
    yield engine
    engine.dispose()


# SQLAlchemy 1.4 knows no newer one.
PSYCOPG = "psycopg2" if sqlalchemy.__version__.startswith("1.") else "psycopg"


def sqlalchemy_url(driver: str) -> str:
    return postgres_url().replace("postgresql:", f"postgresql+{driver}:")


@context
def django_connection(_folder: Path) -> Iterator[Any]:
    from django.db import connections
    from django.utils.connection import ConnectionProxy

    from webhooks import frameworks  # noqa: F401 - configures Django

    address = urlsplit(postgres_url())
    connections.settings["postgres"] = {
        **connections.settings["default"],
        "ENGINE": "django.db.backends.postgresql",
        "NAME": address.path[1:],
        "USER": address.username,
        "HOST": address.hostname,
        "PORT": address.port,
    }

    class Connection(ConnectionProxy):  # type: ignore[misc]  # Django has no types
        """A connection like `django.db.connection`, which the threads of the kit close."""

        @context
        def cursor(self) -> Iterator[Any]:
            with connections["postgres"].cursor() as cursor:
                yield cursor
            if threading.current_thread() is not threading.main_thread():
                connections["postgres"].close()

    yield Connection(connections, "postgres")
    connections["postgres"].close()


@context
def sqlite_file(folder: Path) -> Iterator[Any]:
    yield folder / "events.db"


@context
def sqlite_connection(folder: Path) -> Iterator[Any]:
    connection = sqlite3.connect(folder / "events.db", check_same_thread=False)
    connection.row_factory = sqlite3.Row
    yield connection
    connection.close()


@context
def sqlite_engine(folder: Path) -> Iterator[Any]:
    engine = sqlalchemy.create_engine(f"sqlite:///{folder / 'events.db'}")
    yield engine
    engine.dispose()


@async_context
async def async_redis_client(_folder: Path) -> AsyncIterator[Any]:
    client = redis.asyncio.Redis.from_url(redis_url())
    yield client
    await client.aclose()


@async_context
async def async_psycopg_pool(_folder: Path) -> AsyncIterator[Any]:
    pool = psycopg_pool.AsyncConnectionPool(postgres_url(), max_size=8, open=False)
    async with pool:
        yield pool


@async_context
async def async_psycopg_connection(_folder: Path) -> AsyncIterator[Any]:
    connection = await psycopg.AsyncConnection.connect(postgres_url())
    async with connection:
        yield connection


@async_context
async def asyncpg_pool(_folder: Path) -> AsyncIterator[Any]:
    async with asyncpg.create_pool(postgres_url()) as pool:
        yield pool


@async_context
async def async_sqlalchemy_engine(_folder: Path) -> AsyncIterator[Any]:
    engine = create_async_engine(sqlalchemy_url("asyncpg"), pool_size=20, max_overflow=40)
    yield engine
    await engine.dispose()


@async_context
async def async_sqlite_file(folder: Path) -> AsyncIterator[Any]:
    yield folder / "events.db"


@async_context
async def aiosqlite_connection(folder: Path) -> AsyncIterator[Any]:
    async with aiosqlite.connect(folder / "events.db") as connection:
        yield connection


STORES: list[tuple[Any, Client]] = [
    (RedisDedupeStore, redis_client),
    (RedisDedupeStore, redis_client_of_text),
    (PostgresDedupeStore, psycopg_pool_),
    (PostgresDedupeStore, sqlalchemy_engine),
    (PostgresDedupeStore, django_connection),
    (SqliteDedupeStore, sqlite_file),
    (SqliteDedupeStore, sqlite_connection),
    (SqliteDedupeStore, sqlite_engine),
]
ASYNC_STORES: list[tuple[Any, AsyncClient]] = [
    (AsyncRedisDedupeStore, async_redis_client),
    (AsyncPostgresDedupeStore, async_psycopg_pool),
    (AsyncPostgresDedupeStore, asyncpg_pool),
    (AsyncPostgresDedupeStore, async_sqlalchemy_engine),
    (AsyncSqliteDedupeStore, async_sqlite_file),
    (AsyncSqliteDedupeStore, aiosqlite_connection),
]
