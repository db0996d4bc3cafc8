"""Calls that give the answer together with its data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar, cast

from .call import Result

if TYPE_CHECKING:
    import httpx2

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RawResponse(Generic[T]):
    """The data of an answer together with the answer."""

    data: T
    """What the call gives without `with_raw_response`."""
    status: int
    """The status of the answer."""
    headers: httpx2.Headers = field(repr=False)
    """The headers of the answer."""
    content: bytes = field(repr=False)
    """The body, decompressed."""
    request_id: str | None
    """Identifies the request in the service's logs."""


def raw_response(result: Result[T]) -> RawResponse[T]:
    """Put a result together with its answer."""
    reply = result.reply
    return RawResponse(
        data=result.data,
        status=reply.status,
        headers=reply.headers,
        content=reply.content,
        request_id=reply.request_id,
    )


def raw(method: Callable[P, T]) -> Callable[P, RawResponse[T]]:
    """Give the type of a method whose client keeps the answers."""
    return cast("Callable[P, RawResponse[T]]", method)


def raw_async(method: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[RawResponse[T]]]:
    """Give the type of a method whose client keeps the answers."""
    return cast("Callable[P, Awaitable[RawResponse[T]]]", method)
