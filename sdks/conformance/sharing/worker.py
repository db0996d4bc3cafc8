"""A store in a process of its own, as worker.ts is: worker.py KIND URL NAME HOLDER."""

from __future__ import annotations

import sys
from typing import Any

from support_chat.webhooks import PostgresDedupeStore, RedisDedupeStore, SqliteDedupeStore


def store_of(kind: str, url: str, name: str, holder: str) -> Any:
    if kind == "redis":
        import redis

        return RedisDedupeStore(redis.Redis.from_url(url), prefix=name, holder=holder)
    if kind == "postgres":
        import psycopg

        connection = psycopg.connect(url, autocommit=True)
        return PostgresDedupeStore(connection, table=name, holder=holder)
    return SqliteDedupeStore(url, table=name, holder=holder)


store = store_of(*sys.argv[1:])
tokens: dict[str, str] = {}


def answer(act: str, event_id: str) -> str:
    if act == "setup" and hasattr(store, "setup"):
        store.setup()
    if act == "done":
        store.done(event_id, tokens.get(event_id, ""))
    if act == "release":
        store.release(event_id, tokens.get(event_id, ""))
    if act != "begin":
        return "ok"
    lease = store.begin(event_id)
    if lease.state == "new":
        tokens[event_id] = lease.token
    return f"in_progress {lease.holder}" if lease.state == "in_progress" else str(lease.state)


for line in sys.stdin:
    act, _, event_id = line.rstrip("\n").partition(" ")
    try:
        print(answer(act, event_id), flush=True)
    except Exception as error:
        print("error", str(error).replace("\n", " "), flush=True)
