"""Calls that return the response with its data."""

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
    """A response with its data."""

    data: T
    """The return value of the call without `with_raw_response`."""
    status: int
    """The status of the response."""
    headers: httpx2.Headers = field(repr=False)
    """The headers of the response."""
    content: bytes = field(repr=False)
    """The body, decompressed."""
    request_id: str | None
    """Identifies the request in the service's logs."""


def raw_response(result: Result[T]) -> RawResponse[T]:
    """Convert a result."""
    response = result.response
    return RawResponse(
        data=result.data,
        status=response.status,
        headers=response.headers,
        content=response.content,
        request_id=response.request_id,
    )


def raw(method: Callable[P, T]) -> Callable[P, RawResponse[T]]:
    """Return a method typed to return a `RawResponse`."""
    return cast("Callable[P, RawResponse[T]]", method)


def raw_async(method: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[RawResponse[T]]]:
    """Return a method typed to return a `RawResponse`."""
    return cast("Callable[P, Awaitable[RawResponse[T]]]", method)
