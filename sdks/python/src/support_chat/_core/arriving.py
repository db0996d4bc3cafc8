"""The body of a response while it arrives."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2

from .exchange import Exchange
from .streams import within

# The attributes that lead from a stream of httpx2 through httpcore2 to the HTTP/1.1 parser.
_INNER = ("_h11_state", "_connection", "_stream", "_httpcore_stream", "stream")


class Body(httpx2.SyncByteStream):
    """A body that respects the deadline of the attempt, on a connection that is checked at its end.

    httpx2 reads bytes that a server sends after its response as the response to the next request,
    which may hold somebody else's data. It has no public way to see them. Remove `has_surplus` when
    httpcore2 closes such a connection; `tests/test_upstream.py` fails when a release moves the
    attributes that it reads.
    """

    def __init__(self, response: httpx2.Response, exchange: Exchange) -> None:
        self._response = response
        self._inner: Any = response.stream
        self._exchange = exchange

    def __iter__(self) -> Iterator[bytes]:
        exchange, pieces = self._exchange, iter(self._inner)
        with exchange:
            while True:
                with within(exchange.deadline):
                    piece = next(pieces, None)
                if piece is None:
                    break
                yield piece
                exchange.check_deadline()
            if has_surplus(self._inner):
                self._response.extensions["network_stream"].close()

    def close(self) -> None:
        self._inner.close()


class AsyncBody(httpx2.AsyncByteStream):
    """The asynchronous twin of `Body`."""

    def __init__(self, response: httpx2.Response, exchange: Exchange) -> None:
        self._response = response
        self._inner: Any = response.stream
        self._exchange = exchange

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with self._exchange:
            async for piece in self._inner:
                yield piece
                self._exchange.check_deadline()
            if has_surplus(self._inner):
                await self._response.extensions["network_stream"].aclose()

    async def aclose(self) -> None:
        await self._inner.aclose()


def has_surplus(stream: Any) -> bool:
    """Return whether more bytes arrived than those of the response that was just read."""
    parser = parser_of(stream)
    return parser is not None and bool(parser.trailing_data[0])


def parser_of(stream: Any) -> Any:
    """Return the parser of a connection. None without one, as with HTTP/2 and transports of tests."""
    for _ in range(8):
        if hasattr(stream, "trailing_data"):
            return stream
        stream = next((getattr(stream, name) for name in _INNER if hasattr(stream, name)), None)
    return None
