"""Runs the statements of the stores on the database clients of users.

A client is recognized by its methods, because this package depends on none of them.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, TypeAlias

from .._generated.names import BaseError

Row: TypeAlias = tuple[Any, ...] | None
Values: TypeAlias = Sequence[object]
Execute: TypeAlias = Callable[[str, Values], Row]
"""Runs a statement in a transaction of its own, and returns its first row."""
AsyncExecute: TypeAlias = Callable[[str, Values], Awaitable[Row]]

_PARAMETER = re.compile(r"[$?](\d)")
_STYLES = {
    "format": "%s",
    "named": r":p\1",
    "numeric_dollar": r"$\1",
    "pyformat": r"%(p\1)s",
    "qmark": r":p\1",
}
"""How drivers write a parameter, by their `paramstyle`. Those of `qmark` are SQLite's, which takes
names as well.
"""

_TABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?")


def check_table(table: str) -> str:
    """Return the name of a table, perhaps with a schema. Raises the base error for any other."""
    if isinstance(table, str) and _TABLE.fullmatch(table):
        return table
    raise BaseError("The table must be a name of letters, digits and _, such as app.events.")


def with_table(statement: str, table: str) -> str:
    """Return a statement for a table."""
    return statement.replace("{table}", table).replace("{index}", table.rpartition(".")[2])


def commands_of(schema: str) -> list[str]:
    """Return the statements of a schema, which some drivers take one by one."""
    return [command.strip() for command in schema.split(";") if command.strip()]


@lru_cache
def styled(statement: str, style: str) -> str:
    """Return a statement with parameters as a driver writes them."""
    if style not in _STYLES:
        raise BaseError(f"Drivers with the paramstyle {style} are not supported.")
    return _PARAMETER.sub(_STYLES[style], statement)


def named(values: Values) -> dict[str, object]:
    """Return values by the names of their parameters."""
    return {f"p{number}": value for number, value in enumerate(values, 1)}


def first(rows: Sequence[Any]) -> Row:
    """Return the first row as a tuple, whatever the user's client makes of rows."""
    for row in rows:
        return tuple(row.values() if isinstance(row, Mapping) else row)
    return None


def bound(statement: str, style: str, values: Values) -> Any:
    """Return the values of a statement as a driver takes them."""
    if style == "numeric_dollar":
        return tuple(values)
    if style == "format":  # one for each place
        return tuple(values[int(number) - 1] for number in _PARAMETER.findall(statement))
    return named(values)


# Psycopg


def on_psycopg(connection: Any, statement: str, values: Values) -> Row:
    """Run a statement on a connection of psycopg."""
    from psycopg.rows import tuple_row

    with connection.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(styled(statement, "pyformat"), named(values))
        return None if cursor.description is None else first(cursor.fetchall())


async def on_async_psycopg(connection: Any, statement: str, values: Values) -> Row:
    """Run a statement on an async connection of psycopg."""
    from psycopg.rows import tuple_row

    async with connection.cursor(row_factory=tuple_row) as cursor:
        await cursor.execute(styled(statement, "pyformat"), named(values))
        return None if cursor.description is None else first(await cursor.fetchall())


def has_psycopg_transaction(connection: Any) -> bool:
    """Return whether a statement would become part of a transaction."""
    is_idle = connection.info.transaction_status == 0
    return not (connection.autocommit and is_idle)


# SQLAlchemy


def on_sqlalchemy(connection: Any, statement: str, values: Values) -> Row:
    """Run a statement on a connection of SQLAlchemy."""
    style = connection.dialect.paramstyle
    result = connection.exec_driver_sql(styled(statement, style), bound(statement, style, values))
    return first(result.fetchall()) if result.returns_rows else None


def in_sqlalchemy_transaction(connection: Any, statement: str, values: Values) -> Row:
    """Run a statement on a connection of SQLAlchemy that does not commit it."""
    if getattr(connection.connection.dbapi_connection, "autocommit", False) is True:
        raise no_transaction("another isolation level than AUTOCOMMIT")
    return on_sqlalchemy(connection, statement, values)


async def in_async_sqlalchemy_transaction(connection: Any, statement: str, values: Values) -> Row:
    """Run a statement on an async connection of SQLAlchemy that does not commit it."""
    return await connection.run_sync(in_sqlalchemy_transaction, statement, values)  # type: ignore[no-any-return]


async def on_async_sqlalchemy(connection: Any, statement: str, values: Values) -> Row:
    """Run a statement on an async connection of SQLAlchemy."""
    return await connection.run_sync(on_sqlalchemy, statement, values)  # type: ignore[no-any-return]


# Django


def on_django(connection: Any, statement: str, values: Values) -> Row:
    """Run a statement on a connection of Django."""
    with connection.cursor() as cursor:
        cursor.execute(styled(statement, "pyformat"), named(values))
        return None if cursor.description is None else first(cursor.fetchall())


def shared_executor(client: Any) -> Execute | None:
    """Return what runs statements on a client for several databases, if it is one."""
    if hasattr(client, "dialect"):  # an engine of SQLAlchemy

        def execute(statement: str, values: Values) -> Row:
            with client.begin() as connection:
                return on_sqlalchemy(connection, statement, values)

        return execute
    if hasattr(client, "vendor"):  # a connection of Django, which belongs to the thread
        return partial(on_django, client)
    return None


def shared_async_executor(client: Any) -> AsyncExecute | None:
    """Return what runs statements on an async engine of SQLAlchemy, if it is one."""
    if not hasattr(client, "sync_engine"):
        return None

    async def execute(statement: str, values: Values) -> Row:
        async with client.begin() as connection:
            return await on_async_sqlalchemy(connection, statement, values)

    return execute


def shared_transaction(connection: Any) -> Execute | None:
    """Return what runs statements in the transaction of a connection for several databases."""
    if hasattr(connection, "get_bind"):  # a session of SQLAlchemy
        return partial(in_sqlalchemy_transaction, connection.connection())
    if hasattr(connection, "exec_driver_sql"):
        return partial(in_sqlalchemy_transaction, connection)
    if hasattr(connection, "vendor"):
        if not connection.in_atomic_block:
            raise no_transaction("transaction.atomic()")
        return partial(on_django, connection)
    return None


async def shared_async_transaction(connection: Any) -> AsyncExecute | None:
    """Return what runs statements in the transaction of an async connection of SQLAlchemy."""
    if hasattr(connection, "get_bind"):  # a session
        connection = await connection.connection()
    if not hasattr(connection, "run_sync"):
        return None
    return partial(in_async_sqlalchemy_transaction, connection)


def no_transaction(cure: str) -> BaseError:
    """Return the error of a connection that commits each statement."""
    return BaseError(
        f"once() needs a transaction, which the work is part of. Begin it with {cure}."
    )
