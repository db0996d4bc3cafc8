"""Stores event ids in Redis."""

from __future__ import annotations

from typing import Any, Protocol, cast

from .._generated.names import BaseError
from .._generated.stores import REDIS_BEGIN, REDIS_DONE, REDIS_PREFIX, REDIS_RELEASE
from ._store import Lease, LeaseState
from ._terms import KEEP, LEASE, Terms, lease_of, new_token


class RedisClient(Protocol):
    """What the stores need of `redis.Redis`, `redis.asyncio.Redis` and their clusters."""

    def eval(self, script: str, numkeys: int, /, *keys_and_args: Any) -> Any:
        """Run a script. Async clients return an awaitable."""


class RedisDedupeStore:
    """Stores event ids in Redis, which all processes share.

    RedisDedupeStore(redis.Redis.from_url(url))

    Threads may share it. Set `maxmemory-policy` to `noeviction` or `volatile-ttl`, because an
    evicted event is handled again.
    """

    __slots__ = ("_commands", "_eval")

    def __init__(
        self,
        client: RedisClient,
        *,
        prefix: str = REDIS_PREFIX,
        lease: float = LEASE,
        keep: float = KEEP,
        holder: str | None = None,
    ) -> None:
        """Create a store on a client of redis-py.

        `prefix` begins all keys. `lease` is how long a lease lasts (5 minutes by default) and
        `keep` how long a handled event is remembered (48 hours by default), in seconds. `holder`
        names this process to others (`hostname:pid` by default).

        Raises the base error for an async client, for a negative time and for anything but a
        number.
        """
        _check(client, is_async=False)
        self._eval = client.eval
        self._commands = _Commands(prefix, Terms(lease, keep, holder))

    def begin(self, event_id: str, /) -> Lease:
        """Claim an event, unless it is in progress or done."""
        token = new_token()
        return _read(self._eval(*self._commands.begin(event_id, token)), token)

    def done(self, event_id: str, token: str, /) -> None:
        """Mark an event as handled. Does nothing if the token is not that of the current lease."""
        self._eval(*self._commands.done(event_id, token))

    def release(self, event_id: str, token: str, /) -> None:
        """Release an event. Does nothing if the token is not that of the current lease."""
        self._eval(*self._commands.release(event_id, token))


class AsyncRedisDedupeStore:
    """A `RedisDedupeStore` with async methods.

    AsyncRedisDedupeStore(redis.asyncio.Redis.from_url(url))
    """

    __slots__ = ("_commands", "_eval")

    def __init__(
        self,
        client: RedisClient,
        *,
        prefix: str = REDIS_PREFIX,
        lease: float = LEASE,
        keep: float = KEEP,
        holder: str | None = None,
    ) -> None:
        """Create a store on an async client of redis-py. The options are those of its twin.

        Raises the base error for a blocking client, for a negative time and for anything but a
        number.
        """
        _check(client, is_async=True)
        self._eval = client.eval
        self._commands = _Commands(prefix, Terms(lease, keep, holder))

    async def begin(self, event_id: str, /) -> Lease:
        """Claim an event, unless it is in progress or done."""
        token = new_token()
        return _read(await self._eval(*self._commands.begin(event_id, token)), token)

    async def done(self, event_id: str, token: str, /) -> None:
        """Mark an event as handled. Does nothing if the token is not that of the current lease."""
        await self._eval(*self._commands.done(event_id, token))

    async def release(self, event_id: str, token: str, /) -> None:
        """Release an event. Does nothing if the token is not that of the current lease."""
        await self._eval(*self._commands.release(event_id, token))


class _Commands:
    """The arguments of EVAL."""

    __slots__ = ("_prefix", "_terms")

    def __init__(self, prefix: str, terms: Terms) -> None:
        self._prefix = prefix
        self._terms = terms

    def begin(self, event_id: str, token: str) -> tuple[Any, ...]:
        lease = _milliseconds(self._terms.lease)
        return REDIS_BEGIN, 1, self._prefix + event_id, token, self._terms.holder, lease

    def done(self, event_id: str, token: str) -> tuple[Any, ...]:
        return REDIS_DONE, 1, self._prefix + event_id, token, _milliseconds(self._terms.keep)

    def release(self, event_id: str, token: str) -> tuple[Any, ...]:
        return REDIS_RELEASE, 1, self._prefix + event_id, token


def _milliseconds(seconds: float) -> int:
    # Redis takes no time of 0.
    return max(1, round(seconds * 1_000))


def _read(response: Any, token: str) -> Lease:
    """Return the lease of a response, which is text where the client decodes responses."""
    text = response.decode() if isinstance(response, bytes) else str(response)
    state, _, holder = text.partition(" ")
    return lease_of(cast("LeaseState", state), holder, token)


def _check(client: object, *, is_async: bool) -> None:
    """Reject the client of the other store. Only the async ones of redis-py have `aclose`."""
    if not callable(getattr(client, "eval", None)):
        raise BaseError("RedisDedupeStore takes a client of redis-py.")
    if hasattr(client, "aclose") != is_async:
        name = "RedisDedupeStore" if is_async else "AsyncRedisDedupeStore"
        raise BaseError(f"This client is for {name}.")
