"""Time and chance, in one place so that tests can hold them still."""

from __future__ import annotations

import random as _random
import time


def now() -> float:
    """Seconds since 1970."""
    return time.time()


def monotonic() -> float:
    """Seconds since some moment; it never goes back."""
    return time.monotonic()


def random() -> float:
    """A number from 0 up to 1."""
    return _random.random()


def sleep(seconds: float) -> None:
    """Wait in this thread."""
    time.sleep(seconds)


async def sleep_async(seconds: float) -> None:
    """Wait in this task, which can be cancelled meanwhile."""
    import anyio  # loaded by those who use it: it takes as long as the rest of the client

    await anyio.sleep(seconds)
