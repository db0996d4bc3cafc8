"""Calls that return the response with its data, or the response alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, ParamSpec, TypeVar, cast

import httpx2

from .call import Result
from .exchange import TRANSPORT_ERRORS
from .response import HTTPResponse, Opened

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


class _Streamed:
    """A successful response whose body the caller reads."""

    def __init__(self, response: HTTPResponse, opened: Opened) -> None:
        self.status = response.status
        """The status of the response."""
        self.headers = response.headers
        """The headers of the response."""
        self.request_id = response.request_id
        """Identifies the request in the service's logs."""
        self._opened = opened

    def __repr__(self) -> str:
        return f"{type(self).__name__}(status={self.status})"


class StreamedResponse(_Streamed):
    """A successful response whose body the caller reads, piece by piece.

    Reading raises APIConnectionError if the body breaks off.
    """

    def iter_bytes(self, size: int | None = None) -> Iterator[bytes]:
        """Yield the body, decompressed, as it arrives or in pieces of a size."""
        return self._pieces(self._opened.received.iter_bytes(size))

    def iter_lines(self) -> Iterator[str]:
        """Yield the body line by line."""
        return self._pieces(self._opened.received.iter_lines())

    def read(self) -> bytes:
        """Return the whole body."""
        return b"".join(self.iter_bytes())

    def _pieces(self, pieces: Iterator[T]) -> Iterator[T]:
        try:
            yield from pieces
        except TRANSPORT_ERRORS as error:
            raise self._opened.failed(error) from error


class AsyncStreamedResponse(_Streamed):
    """A successful response whose body the caller reads, piece by piece.

    Reading raises APIConnectionError if the body breaks off.
    """

    def iter_bytes(self, size: int | None = None) -> AsyncIterator[bytes]:
        """Yield the body, decompressed, as it arrives or in pieces of a size."""
        return self._pieces(self._opened.received.aiter_bytes(size))

    def iter_lines(self) -> AsyncIterator[str]:
        """Yield the body line by line."""
        return self._pieces(self._opened.received.aiter_lines())

    async def read(self) -> bytes:
        """Return the whole body."""
        return b"".join([piece async for piece in self.iter_bytes()])

    async def _pieces(self, pieces: AsyncIterator[T]) -> AsyncIterator[T]:
        try:
            async for piece in pieces:
                yield piece
        except TRANSPORT_ERRORS as error:
            raise self._opened.failed(error) from error
