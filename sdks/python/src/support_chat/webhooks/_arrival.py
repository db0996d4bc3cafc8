"""Bodies as servers hand them over: in pieces, up to a limit and within a time."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from .._generated.names import BaseError
from .._generated.policy import WEBHOOKS_BODY_TIMEOUT_MS
from ._error import WebhookVerificationError, already_parsed
from ._verifier import check_size

_T = TypeVar("_T")

BODY_TIMEOUT = WEBHOOKS_BODY_TIMEOUT_MS / 1_000
"""How long a whole body may take, in seconds, if no other time is given."""


class Arrival:
    """A body of which pieces arrive."""

    __slots__ = ("_body", "_cure", "_limit", "length")

    def __init__(self, content_length: str, limit: int, cure: str) -> None:
        """Begin a body. `cure` tells what to do if something has read it before.

        Raises WebhookVerificationError: `payload_too_large`.
        """
        self.length = _declared_length(content_length)
        if self.length is not None and self.length > limit:
            raise WebhookVerificationError("payload_too_large")
        self._limit = limit
        self._cure = cure
        # Not a list of pieces: a small piece takes thirty times its size.
        self._body = bytearray()

    @property
    def size(self) -> int:
        """How many bytes have arrived."""
        return len(self._body)

    def add(self, piece: bytes) -> None:
        """Add a piece.

        Raises WebhookVerificationError: `payload_too_large`.
        """
        self._body += piece
        if len(self._body) > self._limit:
            raise WebhookVerificationError("payload_too_large")

    def finish(self) -> bytes:
        """Return the whole body.

        Raises WebhookVerificationError: `body_already_parsed`, if nothing has arrived although
        something was sent, or may have been.
        """
        if not self._body and self.length != 0:
            raise already_parsed(self._cure)
        return bytes(self._body)


def _declared_length(text: str) -> int | None:
    """Parse a Content-Length. Returns None for anything invalid."""
    # 18 digits exceed every body, and `int` accepts only some thousands of them.
    return int(text[:18]) if text.isascii() and text.isdecimal() else None


def check_timeout(body_timeout: float | None) -> float | None:
    """Return the time limit of bodies. None if there is none."""
    return (body_timeout and check_size("body_timeout", body_timeout)) or None


async def within(timeout: float | None, arrival: Awaitable[_T]) -> _T:
    """Await a body, and raise the base error if it takes too long."""
    if timeout is None:
        return await arrival
    from anyio import move_on_after

    with move_on_after(timeout):
        return await arrival
    raise too_late(timeout)


def too_late(timeout: float) -> BaseError:
    """Return the failure of a body that takes too long."""
    text = f"The body did not arrive within {timeout:g} s. Either the sender is slow, or a middleware has read the body."
    return BaseError(text, outcome=None)


def hung_up() -> BaseError:
    """Return the failure of a body whose sender has disconnected."""
    return BaseError("The sender disconnected before its body was complete.", outcome=None)
