"""Time and random numbers, in one place so that tests can control them."""

from __future__ import annotations

import random as _random
import time


def now() -> float:
    """Seconds since 1970."""
    return time.time()


def monotonic() -> float:
    """Seconds on a clock that never goes back."""
    return time.monotonic()


def random() -> float:
    """A random number from 0 to 1."""
    return _random.random()


def sleep(seconds: float) -> None:
    """Block this thread."""
    time.sleep(seconds)


async def sleep_async(seconds: float) -> None:
    """Suspend this task, which can be cancelled meanwhile."""
    import anyio  # slow to import, and not needed by the blocking client

    await anyio.sleep(seconds)
