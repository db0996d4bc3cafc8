"""Stores event ids in SQLite."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from .._generated.names import BaseError
from .._generated.stores import (
    SQLITE_BEGIN,
    SQLITE_DONE,
    SQLITE_ONCE,
    SQLITE_PRUNE,
    SQLITE_RELEASE,
    SQLITE_SCHEMA,
    SQLITE_TABLE,
)
from . import _sql
from ._store import Lease
from ._terms import KEEP, LEASE, Terms, lease_of, new_token

_T = TypeVar("_T")

_OLDEST = (3, 35)
_BUSY_SECONDS = 10.0


class SqliteDedupeStore:
    """Stores event ids in a table of SQLite, which all processes of a machine share.

    SqliteDedupeStore("events.db")

    Threads may share it.
    """

    __slots__ = ("_execute", "_statements", "_terms")

    def __init__(
        self,
        client: Any,
        *,
        table: str = SQLITE_TABLE,
        lease: float = LEASE,
        keep: float = KEEP,
        holder: str | None = None,
    ) -> None:
        """Create a store on a file, a connection of `sqlite3`, an engine of SQLAlchemy or a
        connection of Django.

        A file is opened for each call, so that threads and forks may share the store. Give it a
        connection of its own, because it commits, with `check_same_thread=False` if threads share
        it. `setup` creates the table. `lease` is how long a lease lasts (5 minutes by default) and
        `keep` how long a handled event is remembered (48 hours by default), in seconds. `holder`
        names this process to others (`hostname:pid` by default). Expired rows are deleted as new
        events come.

        Raises the base error for another client, for a name that is none, for a negative time, for
        anything but a number, and for an SQLite older than 3.35.
        """
        self._execute = _executor_of(client)
        self._statements = _Statements(table)
        self._terms = Terms(lease, keep, holder)

    @property
    def schema(self) -> str:
        """The statements that create the table, for your migrations."""
        return self._statements.schema

    def setup(self) -> None:
        """Create the table if it is missing."""
        for command in _sql.commands_of(self.schema):
            self._execute(command, ())

    def begin(self, event_id: str, /) -> Lease:
        """Claim an event, unless it is in progress or done."""
        token = new_token()
        self._execute(self._statements.prune, ())
        values = (event_id, token, self._terms.holder, self._terms.lease)
        return _read(self._execute(self._statements.begin, values), token)

    def done(self, event_id: str, token: str, /) -> None:
        """Mark an event as handled. Does nothing if the token is not that of the current lease."""
        self._execute(self._statements.done, (event_id, token, self._terms.keep))

    def release(self, event_id: str, token: str, /) -> None:
        """Release an event. Does nothing if the token is not that of the current lease."""
        self._execute(self._statements.release, (event_id, token))

    def once(self, event_id: str, connection: Any, /) -> bool:
        """Mark an event as handled in your transaction. Returns whether it was not handled yet.

        If so, do the work in the same transaction: both are committed, or none. A second caller
        waits for the end of the transaction. Give the receiver no store then. `connection` is one
        of `sqlite3`, a connection or a session of SQLAlchemy, or a connection of Django.

        Raises the base error for another connection, and for one without a transaction.
        """
        execute = _transaction_of(connection)
        return execute(self._statements.once, (event_id, self._terms.keep)) is not None


class AsyncSqliteDedupeStore:
    """A `SqliteDedupeStore` with async methods.

    AsyncSqliteDedupeStore("events.db")
    """

    __slots__ = ("_execute", "_statements", "_terms")

    def __init__(
        self,
        client: Any,
        *,
        table: str = SQLITE_TABLE,
        lease: float = LEASE,
        keep: float = KEEP,
        holder: str | None = None,
    ) -> None:
        """Create a store on a file, a connection of aiosqlite, an async engine of SQLAlchemy, or
        a connection of `sqlite3` made with `check_same_thread=False`.

        Files and connections of `sqlite3` are used in threads. The options are those of its twin.

        Raises the base error for another client, for a name that is none, for a negative time, for
        anything but a number, and for an SQLite older than 3.35.
        """
        self._execute = _async_executor_of(client)
        self._statements = _Statements(table)
        self._terms = Terms(lease, keep, holder)

    @property
    def schema(self) -> str:
        """The statements that create the table, for your migrations."""
        return self._statements.schema

    async def setup(self) -> None:
        """Create the table if it is missing."""
        for command in _sql.commands_of(self.schema):
            await self._execute(command, ())

    async def begin(self, event_id: str, /) -> Lease:
        """Claim an event, unless it is in progress or done."""
        token = new_token()
        await self._execute(self._statements.prune, ())
        values = (event_id, token, self._terms.holder, self._terms.lease)
        return _read(await self._execute(self._statements.begin, values), token)

    async def done(self, event_id: str, token: str, /) -> None:
        """Mark an event as handled. Does nothing if the token is not that of the current lease."""
        await self._execute(self._statements.done, (event_id, token, self._terms.keep))

    async def release(self, event_id: str, token: str, /) -> None:
        """Release an event. Does nothing if the token is not that of the current lease."""
        await self._execute(self._statements.release, (event_id, token))

    async def once(self, event_id: str, connection: Any, /) -> bool:
        """Mark an event as handled in your transaction. Returns whether it was not handled yet.

        If so, do the work in the same transaction: both are committed, or none. A second caller
        waits for the end of the transaction. Give the receiver no store then. `connection` is one
        of aiosqlite, or an async connection or session of SQLAlchemy.

        Raises the base error for another connection, and for one without a transaction.
        """
        execute = await _async_transaction_of(connection)
        return await execute(self._statements.once, (event_id, self._terms.keep)) is not None


class _Statements:
    """The statements for a table."""

    __slots__ = ("begin", "done", "once", "prune", "release", "schema")

    def __init__(self, table: str) -> None:
        if sqlite3.sqlite_version_info < _OLDEST:
            raise BaseError(f"SQLite {sqlite3.sqlite_version} is too old. Use 3.35 or newer.")
        table = _sql.check_table(table)
        self.schema = _sql.with_table(SQLITE_SCHEMA, table)
        self.prune = _sql.with_table(SQLITE_PRUNE, table)
        self.begin = _sql.with_table(SQLITE_BEGIN, table)
        self.done = _sql.with_table(SQLITE_DONE, table)
        self.release = _sql.with_table(SQLITE_RELEASE, table)
        self.once = _sql.with_table(SQLITE_ONCE, table)


def _read(row: _sql.Row, token: str) -> Lease:
    if row is None:
        raise BaseError("SQLite returned no row.", outcome=None)
    state, holder = row
    return lease_of(state, holder, token)


_CLIENTS = (
    "SqliteDedupeStore takes a file, a connection of sqlite3, an engine of SQLAlchemy or a "
    "connection of Django. AsyncSqliteDedupeStore takes a file, a connection of aiosqlite or an "
    "async engine of SQLAlchemy."
)


def _executor_of(client: Any) -> _sql.Execute:
    lock = Lock()
    if isinstance(client, str | os.PathLike):
        path = _path_of(client)

        def in_file(statement: str, values: _sql.Values) -> _sql.Row:
            # SQLite makes waiting threads poll, and the lock makes them queue.
            with lock, closing(_open(path)) as connection:
                return _on_sqlite(connection, statement, values)

        return in_file
    if isinstance(client, sqlite3.Connection):

        def on_connection(statement: str, values: _sql.Values) -> _sql.Row:
            with lock, client:
                return _on_sqlite(client, statement, values)

        return on_connection
    is_async = hasattr(client, "sync_engine")
    execute = None if is_async else _sql.shared_executor(client)
    if execute is None:
        raise BaseError(_CLIENTS)
    return execute


def _async_executor_of(client: Any) -> _sql.AsyncExecute:
    if isinstance(client, str | os.PathLike | sqlite3.Connection):
        execute = _executor_of(client)
        return lambda statement, values: _in_thread(partial(execute, statement, values))
    if hasattr(client, "execute_fetchall"):

        async def on_connection(statement: str, values: _sql.Values) -> _sql.Row:
            row = await _on_aiosqlite(client, statement, values)
            await client.commit()
            return row

        return on_connection
    shared = _sql.shared_async_executor(client)
    if shared is None:
        raise BaseError(_CLIENTS)
    return shared


def _path_of(client: str | os.PathLike[str]) -> str:
    path = os.fspath(client)
    if path in ("", ":memory:"):
        raise BaseError("The store needs a file. MemoryDedupeStore keeps events in memory.")
    return path


def _open(path: str) -> sqlite3.Connection:
    """Open a file for other processes to wait for. Without an isolation level, it commits itself."""
    return sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)


def _on_sqlite(connection: sqlite3.Connection, statement: str, values: _sql.Values) -> _sql.Row:
    with closing(connection.cursor()) as cursor:
        cursor.execute(_sql.styled(statement, "named"), _sql.named(values))
        return _sql.first(cursor.fetchall())


async def _on_aiosqlite(connection: Any, statement: str, values: _sql.Values) -> _sql.Row:
    sql = _sql.styled(statement, "named")
    return _sql.first(await connection.execute_fetchall(sql, _sql.named(values)))


async def _in_thread(call: Callable[[], _T]) -> _T:
    from anyio.to_thread import run_sync

    return await run_sync(call)


_CONNECTIONS = (
    "once() takes a connection with the transaction of the work: of sqlite3, SQLAlchemy or Django, "
    "and the async one of aiosqlite or SQLAlchemy."
)
_BEGIN = "BEGIN IMMEDIATE"


def _transaction_of(connection: Any) -> _sql.Execute:
    execute = _sql.shared_transaction(connection)
    if execute is not None:
        return execute
    if not isinstance(connection, sqlite3.Connection):
        raise BaseError(_CONNECTIONS)
    if connection.isolation_level is None and not connection.in_transaction:
        raise _sql.no_transaction(_BEGIN)
    return partial(_on_sqlite, connection)


async def _async_transaction_of(connection: Any) -> _sql.AsyncExecute:
    execute = await _sql.shared_async_transaction(connection)
    if execute is not None:
        return execute
    if not hasattr(connection, "execute_fetchall"):
        raise BaseError(_CONNECTIONS)
    if connection.isolation_level is None and not connection.in_transaction:
        raise _sql.no_transaction(_BEGIN)
    return partial(_on_aiosqlite, connection)
