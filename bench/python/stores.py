"""What a dedupe store costs in Python for each event, beside the two writes that anybody needs, by hand.

Prints each round as JSON, in microseconds per event, or per 32 events in 32 threads. REDIS_URL and
POSTGRES_URL name the databases, and the argument a file for SQLite.
"""

import json
import os
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import psycopg_pool
import redis
from measure import race
from support_chat.webhooks import (
    DedupeStore,
    MemoryDedupeStore,
    PostgresDedupeStore,
    RedisDedupeStore,
    SqliteDedupeStore,
)

AT_ONCE = 32
POOL = 10
TABLE = "CREATE TABLE bare_python (id text PRIMARY KEY, token text)"
INSERT = "INSERT INTO bare_python VALUES (%s, %s) ON CONFLICT DO NOTHING"
UPDATE = "UPDATE bare_python SET token = NULL WHERE id = %s"

numbers = count()
threads = ThreadPoolExecutor(AT_ONCE)

database = sqlite3.connect(sys.argv[1], check_same_thread=False, isolation_level=None)
database.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; {TABLE}")
client = redis.Redis.from_url(os.environ["REDIS_URL"])
options = {"autocommit": True}
pool = psycopg_pool.ConnectionPool(
    os.environ["POSTGRES_URL"], kwargs=options, min_size=POOL, max_size=POOL, open=True
)
with pool.connection() as connection:
    connection.execute(TABLE)


def new_id() -> str:
    return f"evt_python_{next(numbers)}"  # the databases know the events of other languages


def handled(store: DedupeStore) -> Callable[[], object]:
    def handle() -> None:
        event_id = new_id()
        lease = store.begin(event_id)
        if lease.state != "new":
            raise ValueError(f"A new event is {lease.state}.")
        store.done(event_id, lease.token)

    return handle


def at_once(run: Callable[[], object]) -> Callable[[], object]:
    return lambda: [task.result() for task in [threads.submit(run) for _ in range(AT_ONCE)]]


def in_sqlite() -> None:
    event_id = new_id()
    database.execute(INSERT.replace("%s", "?"), [event_id, "token"])
    database.execute(UPDATE.replace("%s", "?"), [event_id])


def in_redis() -> None:
    event_id = new_id()
    client.set(event_id, "token", px=300_000, nx=True)
    client.set(event_id, "done", px=300_000)


def in_postgres() -> None:
    event_id = new_id()
    with pool.connection() as connection:
        connection.execute(INSERT, [event_id, "token"])
    with pool.connection() as connection:
        connection.execute(UPDATE, [event_id])


sqlite = SqliteDedupeStore(database)
postgres = PostgresDedupeStore(pool)
sqlite.setup()
postgres.setup()
stores = {
    "`MemoryDedupeStore`": handled(MemoryDedupeStore()),
    "SQLite, sqlite3": handled(sqlite),
    "Redis, redis": handled(RedisDedupeStore(client)),
    "PostgreSQL, a pool of psycopg": handled(postgres),
}
floors = {
    "SQLite, sqlite3": in_sqlite,
    "Redis, redis": in_redis,
    "PostgreSQL, a pool of psycopg": in_postgres,
}
contenders = {
    **stores,
    **{f"{name} floor": run for name, run in floors.items()},
    **{f"{name} at once": at_once(run) for name, run in stores.items()},
}
print(json.dumps(race(contenders)))
pool.close()
