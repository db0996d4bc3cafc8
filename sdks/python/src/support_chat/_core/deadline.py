"""A time-out that knows when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import clock

if TYPE_CHECKING:
    from typing_extensions import Self


class Deadline(float):
    """Seconds that begin now.

    For whoever knows nothing of deadlines it is the number that a time-out is; httpx2 hands it
    through to the sockets, and those of `sockets` wait no longer than what is left of it.
    """

    __slots__ = ("_end",)
    _end: float

    def __new__(cls, seconds: float) -> Self:
        """Begin now."""
        deadline = super().__new__(cls, seconds)
        deadline._end = clock.monotonic() + seconds
        return deadline

    def left(self) -> float:
        """Give the seconds that are left; below 0 once it has passed."""
        return self._end - clock.monotonic()
