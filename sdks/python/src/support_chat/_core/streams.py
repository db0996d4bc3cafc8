"""Connections whose every read ends at the deadline of the attempt.

httpx2 takes the timeout of a read once per response head and once per body. Bytes that arrive slowly
would extend an attempt beyond its deadline, without a limit within a head. The event loops of
asynchronous clients need none of this, since they cancel an attempt.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from .deadline import Deadline


class _Current(threading.local):
    deadline: Deadline | None = None


_current = _Current()


@contextmanager
def within(deadline: Deadline) -> Iterator[None]:
    """Limit every read of this thread."""
    before, _current.deadline = _current.deadline, deadline
    try:
        yield
    finally:
        _current.deadline = before


def bound(stream: Any) -> None:
    """Make the reads of a new connection end in time."""
    kind: Any = type(stream)
    stream.__class__ = _bounded(kind)


@cache
def _bounded(kind: Any) -> type:
    class Bounded(kind):  # type: ignore[misc]  # the kinds of httpcore2 are not public
        __slots__ = ()

        def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
            deadline = _current.deadline
            limit = timeout if deadline is None else deadline.shorten(timeout)
            content: bytes = super().read(max_bytes, limit)
            return content

    return Bounded
