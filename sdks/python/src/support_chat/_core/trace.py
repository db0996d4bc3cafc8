"""The attempts of a call, and the hook around each."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from .._generated.names import BaseError
from .response import HTTPResponse


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt of a call. Holds no secret."""

    operation: str | None
    """The name of the method, such as `things.list`. None for a path that is not in the contract."""
    method: str
    """The HTTP method, in capitals."""
    template: str
    """The path with placeholders (`url.template`), the same for all calls of an operation."""
    path: str
    """The path that is sent, without the query."""
    retry: int
    """0 for the first attempt, 1 for the first retry."""


Trace: TypeAlias = Callable[[Attempt], Generator[None, HTTPResponse, None]]
"""A generator function that runs around every attempt. It yields once, while the request is sent.
`yield` returns the response with any status, or raises the error of the attempt. A hook that fails
never affects the call.

    def trace(attempt):
        with tracer.start_as_current_span(f"{attempt.method} {attempt.template}") as span:
            response = yield
            span.set_attribute("http.response.status_code", response.status)
"""


class Span:
    """A running trace hook, whose own failures are ignored."""

    __slots__ = ("_hook",)

    def __init__(self, trace: Trace | None, attempt: Attempt) -> None:
        self._hook: Generator[None, HTTPResponse, None] | None = None
        if trace is not None:
            with suppress(Exception):
                self._hook = trace(attempt)
                next(self._hook)

    def end(self, result: HTTPResponse | BaseError) -> None:
        """Pass the result of the attempt to the hook."""
        if self._hook is None:
            return
        with suppress(Exception):
            if isinstance(result, BaseError):
                self._hook.throw(result)
            else:
                self._hook.send(result)

    def close(self) -> None:
        """End a hook that still runs, or whose attempt was cancelled."""
        if self._hook is not None:
            with suppress(Exception):
                self._hook.close()
