"""Stores event ids in PostgreSQL."""

from __future__ import annotations

from functools import partial
from typing import Any

from .._generated.names import BaseError
from .._generated.stores import (
    POSTGRES_BEGIN,
    POSTGRES_DONE,
    POSTGRES_ONCE,
    POSTGRES_RELEASE,
    POSTGRES_SCHEMA,
    POSTGRES_TABLE,
)
from . import _sql
from ._store import Lease
from ._terms import KEEP, LEASE, Terms, lease_of, new_token


class PostgresDedupeStore:
    """Stores event ids in a table of PostgreSQL, which all processes share.

    PostgresDedupeStore(psycopg_pool.ConnectionPool(url))

    Threads may share it if they may share the client.
    """

    __slots__ = ("_execute", "_statements", "_terms")

    def __init__(
        self,
        client: Any,
        *,
        table: str = POSTGRES_TABLE,
        lease: float = LEASE,
        keep: float = KEEP,
        holder: str | None = None,
    ) -> None:
        """Create a store on a pool or a connection of psycopg 3, an engine of SQLAlchemy or a
        connection of Django.

        `table` may have a schema: `app.events`. `setup` creates it. `lease` is how long a lease
        lasts (5 minutes by default) and `keep` how long a handled event is remembered (48 hours by
        default), in seconds. `holder` names this process to others (`hostname:pid` by default).
        Expired rows are deleted as new events come.

        Raises the base error for another client, for a name that is none, for a negative time and
        for anything but a number.
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
            self._create(command)

    def _create(self, command: str) -> None:
        try:
            self._execute(command, ())
        except Exception:  # noqa: BLE001 - another process has created it at the same time
            self._execute(command, ())

    def begin(self, event_id: str, /) -> Lease:
        """Claim an event, unless it is in progress or done."""
        token = new_token()
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
        of psycopg 3, a connection or a session of SQLAlchemy, or a connection of Django.

        Raises the base error for another connection, and for one without a transaction.
        """
        execute = _transaction_of(connection)
        return execute(self._statements.once, (event_id, self._terms.keep)) is not None


class AsyncPostgresDedupeStore:
    """A `PostgresDedupeStore` with async methods.

    AsyncPostgresDedupeStore(await asyncpg.create_pool(url))
    """

    __slots__ = ("_execute", "_statements", "_terms")

    def __init__(
        self,
        client: Any,
        *,
        table: str = POSTGRES_TABLE,
        lease: float = LEASE,
        keep: float = KEEP,
        holder: str | None = None,
    ) -> None:
        """Create a store on a pool or a connection of asyncpg, an async pool or connection of
        psycopg 3 or an async engine of SQLAlchemy.

        The options are those of its twin.

        Raises the base error for another client, for a name that is none, for a negative time and
        for anything but a number.
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
            await self._create(command)

    async def _create(self, command: str) -> None:
        try:
            await self._execute(command, ())
        except Exception:  # noqa: BLE001 - another process has created it at the same time
            await self._execute(command, ())

    async def begin(self, event_id: str, /) -> Lease:
        """Claim an event, unless it is in progress or done."""
        token = new_token()
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
        of asyncpg, an async one of psycopg 3, or an async connection or session of SQLAlchemy.

        Raises the base error for another connection, and for one without a transaction.
        """
        execute = await _async_transaction_of(connection)
        return await execute(self._statements.once, (event_id, self._terms.keep)) is not None


class _Statements:
    """The statements for a table."""

    __slots__ = ("begin", "done", "once", "release", "schema")

    def __init__(self, table: str) -> None:
        table = _sql.check_table(table)
        self.schema = _sql.with_table(POSTGRES_SCHEMA, table)
        self.begin = _sql.with_table(POSTGRES_BEGIN, table)
        self.done = _sql.with_table(POSTGRES_DONE, table)
        self.release = _sql.with_table(POSTGRES_RELEASE, table)
        self.once = _sql.with_table(POSTGRES_ONCE, table)


def _read(row: _sql.Row, token: str) -> Lease:
    if row is None:
        raise BaseError("PostgreSQL returned no row.", outcome=None)
    state, holder = row
    return lease_of(state, holder, token)


_CLIENTS = (
    "PostgresDedupeStore takes a pool or a connection of psycopg 3, an engine of SQLAlchemy or a "
    "connection of Django. AsyncPostgresDedupeStore takes a pool or a connection of asyncpg, an "
    "async one of psycopg 3 or an async engine of SQLAlchemy."
)


def _executor_of(client: Any) -> _sql.Execute:
    if hasattr(client, "__enter__") and hasattr(client, "getconn"):

        def in_pool(statement: str, values: _sql.Values) -> _sql.Row:
            with client.connection() as connection:
                return _sql.on_psycopg(connection, statement, values)

        return in_pool
    if hasattr(client, "__enter__") and hasattr(client, "transaction"):

        def on_connection(statement: str, values: _sql.Values) -> _sql.Row:
            with client.transaction():
                return _sql.on_psycopg(client, statement, values)

        return on_connection
    is_async = hasattr(client, "sync_engine")
    execute = None if is_async else _sql.shared_executor(client)
    if execute is None:
        raise BaseError(_CLIENTS)
    return execute


def _async_executor_of(client: Any) -> _sql.AsyncExecute:
    if hasattr(client, "fetchrow"):

        async def on_asyncpg(statement: str, values: _sql.Values) -> _sql.Row:
            row = await client.fetchrow(statement, *values)
            return None if row is None else tuple(row)

        return on_asyncpg
    if hasattr(client, "__aenter__") and hasattr(client, "getconn"):

        async def in_pool(statement: str, values: _sql.Values) -> _sql.Row:
            async with client.connection() as connection:
                return await _sql.on_async_psycopg(connection, statement, values)

        return in_pool
    if hasattr(client, "__aenter__") and hasattr(client, "transaction"):

        async def on_connection(statement: str, values: _sql.Values) -> _sql.Row:
            async with client.transaction():
                return await _sql.on_async_psycopg(client, statement, values)

        return on_connection
    execute = _sql.shared_async_executor(client)
    if execute is None:
        raise BaseError(_CLIENTS)
    return execute


_CONNECTIONS = (
    "once() takes a connection with the transaction of the work: of psycopg 3, SQLAlchemy or "
    "Django, and the async one also of asyncpg."
)
_BEGIN = "connection.transaction()"


def _transaction_of(connection: Any) -> _sql.Execute:
    execute = _sql.shared_transaction(connection)
    if execute is not None:
        return execute
    if not (hasattr(connection, "__enter__") and hasattr(connection, "transaction")):
        raise BaseError(_CONNECTIONS)
    if not _sql.has_psycopg_transaction(connection):
        raise _sql.no_transaction(_BEGIN)
    return partial(_sql.on_psycopg, connection)


async def _async_transaction_of(connection: Any) -> _sql.AsyncExecute:
    execute = await _sql.shared_async_transaction(connection)
    if execute is not None:
        return execute
    if hasattr(connection, "fetchrow") and hasattr(connection, "is_in_transaction"):
        if not connection.is_in_transaction():
            raise _sql.no_transaction(_BEGIN)
        return _async_executor_of(connection)
    if not (hasattr(connection, "__aenter__") and hasattr(connection, "transaction")):
        raise BaseError(_CONNECTIONS)
    if not _sql.has_psycopg_transaction(connection):
        raise _sql.no_transaction(_BEGIN)
    return partial(_sql.on_async_psycopg, connection)
