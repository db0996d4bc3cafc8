"""Verifies that deliveries come from the service, and reads their events.

webhooks = Webhooks(secret)
event = webhooks.unwrap(body, headers)
match event:
    case UnknownEvent():
        ...

Imports no HTTP client, and the event classes only with the first event. `asgi` and `wsgi` hold apps
that receive deliveries, and `aiohttp`, `aws_lambda`, `django` and `flask` hold what these frameworks
call. The receivers work everywhere else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .._generated.policy import WebhookFailure
from ._body import WebhookBody
from ._error import WebhookVerificationError
from ._headers import WebhookHeaders
from ._verifier import Webhooks

if TYPE_CHECKING:
    from .._generated.events import EVENT_KINDS, EventKind, KnownEvent
    from .._generated.router import AsyncWebhookRouter, WebhookRouter
    from ._event import Event, UnknownEvent
    from ._postgres import AsyncPostgresDedupeStore, PostgresDedupeStore
    from ._receiver import AsyncWebhookReceiver, WebhookReceiver
    from ._redis import AsyncRedisDedupeStore, RedisDedupeStore
    from ._sqlite import AsyncSqliteDedupeStore, SqliteDedupeStore
    from ._store import (
        AsyncDedupeStore,
        DedupeStore,
        HeldLease,
        Lease,
        LeaseState,
        MemoryDedupeStore,
    )

__all__ = [
    "EVENT_KINDS",
    "AsyncDedupeStore",
    "AsyncPostgresDedupeStore",
    "AsyncRedisDedupeStore",
    "AsyncSqliteDedupeStore",
    "AsyncWebhookReceiver",
    "AsyncWebhookRouter",
    "DedupeStore",
    "Event",
    "EventKind",
    "HeldLease",
    "KnownEvent",
    "Lease",
    "LeaseState",
    "MemoryDedupeStore",
    "PostgresDedupeStore",
    "RedisDedupeStore",
    "SqliteDedupeStore",
    "UnknownEvent",
    "WebhookBody",
    "WebhookFailure",
    "WebhookHeaders",
    "WebhookReceiver",
    "WebhookRouter",
    "WebhookVerificationError",
    "Webhooks",
]

_LATE = {
    "EVENT_KINDS": ".._generated.events",
    "AsyncDedupeStore": "._store",
    "AsyncPostgresDedupeStore": "._postgres",
    "AsyncRedisDedupeStore": "._redis",
    "AsyncSqliteDedupeStore": "._sqlite",
    "AsyncWebhookReceiver": "._receiver",
    "AsyncWebhookRouter": ".._generated.router",
    "DedupeStore": "._store",
    "Event": "._event",
    "EventKind": ".._generated.events",
    "KnownEvent": ".._generated.events",
    "HeldLease": "._store",
    "Lease": "._store",
    "LeaseState": "._store",
    "MemoryDedupeStore": "._store",
    "PostgresDedupeStore": "._postgres",
    "RedisDedupeStore": "._redis",
    "SqliteDedupeStore": "._sqlite",
    "UnknownEvent": "._event",
    "WebhookReceiver": "._receiver",
    "WebhookRouter": ".._generated.router",
}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_LATE[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
