"""Calls that their caller ends."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from .._generated.policy import Outcome

_FACTS = "_aborted_call"


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortedCall:
    """A call that its caller ended: by a cancelled task, a deadline or Ctrl-C."""

    method: str
    """The HTTP method, in capitals."""
    path: str
    """The path that was sent, without the query."""
    attempts: int
    """The number of attempts that began."""
    outcome: Outcome
    """Whether the request may have taken effect."""


def aborted_call(error: BaseException) -> AbortedCall | None:
    """Return the facts about the call that an exception ended, or None if it ended no call.

    The exception is the interpreter's or the event loop's own. A timeout that was raised because of
    it, as by `asyncio.timeout`, is accepted too.
    """
    seen: BaseException | None = error
    for _ in range(10):
        if seen is None:
            break
        facts = getattr(seen, _FACTS, None)
        if isinstance(facts, AbortedCall):
            return facts
        seen = seen.__cause__ or seen.__context__
    return None


def note_abort(error: BaseException, call: AbortedCall) -> None:
    """Attach the facts about a call to the exception that ended it."""
    if hasattr(error, _FACTS):
        return
    with suppress(Exception):  # An exception may have no place for them.
        setattr(error, _FACTS, call)
        text = f"{call.method} {call.path} ended in attempt {call.attempts}, outcome {call.outcome}"
        error.add_note(text)  # type: ignore[attr-defined, unused-ignore]  # Python 3.11
