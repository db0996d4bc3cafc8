"""The hook for spans and metrics."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from .._generated.names import BaseError
from .reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt of a call. It holds no secret."""

    method: str
    """In capitals."""
    template: str
    """The path with its placeholders (`url.template`), the same for all calls of an operation."""
    path: str
    """The path as it is sent, without the query."""
    retry: int
    """0 for the first attempt, 1 for the first retry."""


Trace: TypeAlias = Callable[[Attempt], Generator[None, Reply, None]]
"""Called for every attempt. It yields once, where the request is sent: `yield` gives the answer,
whatever its status, or raises where none came. Whatever the hook does besides, the call goes on
as if it were not there.

    def trace(attempt):
        with tracer.start_as_current_span(f"{attempt.method} {attempt.template}") as span:
            answer = yield
            span.set_attribute("http.response.status_code", answer.status)
"""


class Span:
    """A running hook, whose own failures are nobody's concern."""

    __slots__ = ("_hook",)

    def __init__(self, trace: Trace | None, attempt: Attempt) -> None:
        self._hook: Generator[None, Reply, None] | None = None
        if trace is not None:
            with suppress(Exception):
                self._hook = trace(attempt)
                next(self._hook)

    def end(self, result: Reply | BaseError) -> None:
        """Tell the hook what the attempt came to."""
        if self._hook is None:
            return
        with suppress(Exception):
            if isinstance(result, BaseError):
                self._hook.throw(result)
            else:
                self._hook.send(result)

    def close(self) -> None:
        """End a hook that goes on after it was told, or whose attempt was cancelled."""
        if self._hook is not None:
            with suppress(Exception):
                self._hook.close()
