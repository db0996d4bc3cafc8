"""The timeouts of one attempt."""

from __future__ import annotations

import math
from typing import Any

from . import clock

_SHORTEST = 0.001  # sockets take 0 for "do not wait at all"


class Deadline(dict[str, Any]):
    """The timeouts that httpx2 reads from a request, all of which end together.

    httpx2 applies a timeout to each step: connecting, each read and each write. This mapping gives
    every step what is left of the attempt. `check` ends a body that arrives in small pieces.
    """

    __slots__ = ("_connect", "_end")

    def __init__(self, timeout: float | None, connect: float | None) -> None:
        super().__init__({"connect": connect, "read": timeout, "write": timeout, "pool": timeout})
        self._connect = math.inf if connect is None else connect
        self._end = math.inf if timeout is None else clock.monotonic() + timeout

    def get(self, step: str, default: Any = None) -> Any:
        """Return the seconds that a step may take. None stands for no limit."""
        limit = max(self._end - clock.monotonic(), _SHORTEST)
        if step == "connect":
            limit = min(limit, self._connect)
        return None if limit == math.inf else limit

    def __getitem__(self, step: str) -> Any:
        return self.get(step)

    def shorten(self, timeout: float | None) -> float | None:
        """Return the seconds that a read may take which has a timeout of its own."""
        left = self.get("read")
        return min((limit for limit in (timeout, left) if limit is not None), default=None)

    @property
    def expired(self) -> bool:
        """Whether the attempt has exceeded its timeout."""
        return clock.monotonic() >= self._end
