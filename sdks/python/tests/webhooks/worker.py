"""A process that receives deliveries of the events whose ids come on its standard input.

worker.py KIND NAME LOG LEASE: a kind of store, its prefix or table, and where to write what is done.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from support_chat.webhooks import DedupeStore, Event, WebhookReceiver, Webhooks
from webhooks.databases import postgres_url, redis_url
from webhooks.deliveries import ENVELOPE, SECRET, signed, written


def store_of(kind: str, name: str, folder: Path, lease: float) -> DedupeStore:
    if kind == "redis":
        import redis

        from support_chat.webhooks import RedisDedupeStore

        return RedisDedupeStore(redis.Redis.from_url(redis_url()), prefix=f"{name}:", lease=lease)
    if kind == "postgres":
        import psycopg_pool

        from support_chat.webhooks import PostgresDedupeStore

        pool = psycopg_pool.ConnectionPool(postgres_url(), open=True)
        in_postgres = PostgresDedupeStore(pool, table=name, lease=lease)
        in_postgres.setup()
        return in_postgres
    from support_chat.webhooks import SqliteDedupeStore

    in_file = SqliteDedupeStore(folder / f"{name}.db", lease=lease)
    in_file.setup()
    return in_file


def main(kind: str, name: str, log: str, lease: str) -> None:
    file = Path(log)

    def say(text: object) -> None:
        with file.open("a") as stream:
            stream.write(f"{text}\n")

    def handle(event: Event) -> None:
        if event.id == "evt_slow" and file.name == "killed.log":
            say(f"begun {event.id}")
            time.sleep(60)
        say(f"handled {event.id}")

    def report(error: Exception) -> None:
        if "evt_slow" in str(error):
            say(error)

    store = store_of(kind, name, file.parent, float(lease))
    receiver = WebhookReceiver(Webhooks(SECRET), handle, store=store, on_error=report)
    print("ready", flush=True)
    for line in sys.stdin:
        body = written({**ENVELOPE, "id": line.strip()})
        print(receiver.receive(body, {"x-service-signature": signed(body)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
