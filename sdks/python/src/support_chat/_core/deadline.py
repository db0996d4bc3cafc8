"""A timeout with a fixed end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import clock

if TYPE_CHECKING:
    from typing_extensions import Self


class Deadline(float):
    """A number of seconds that starts to run when it is created.

    httpx2 treats it as a plain timeout and passes it on to the sockets. Those of `sockets` wait only
    for what is left of it.
    """

    __slots__ = ("_end",)
    _end: float

    def __new__(cls, seconds: float) -> Self:
        """Start the deadline."""
        deadline = super().__new__(cls, seconds)
        deadline._end = clock.monotonic() + seconds
        return deadline

    def left(self) -> float:
        """Return the seconds that are left, negative after the end."""
        return self._end - clock.monotonic()
