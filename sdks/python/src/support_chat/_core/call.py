"""The course of a call: (attempt → wait)… → response or error.

One generator serves both clients. It yields exchanges to carry out and seconds to wait, and receives
the result of each step. `sync` and `aio` carry out the steps.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, cast

from .._generated import policy
from .._generated.names import BaseError
from .._generated.policy import Outcome
from . import clock
from .aborted import AbortedCall, note_abort
from .decode import decode, outcome_of
from .draft import Draft, make_draft, operation_of
from .errors import APIConnectionError
from .exchange import Came, Exchange
from .log import log, redact
from .message import path_of
from .mismatch import Context, check
from .options import RequestArguments, Settings, check_limits
from .response import HTTPResponse
from .retry import retry_delay
from .trace import Attempt, Span

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """The data that a call returns, and the response with it."""

    data: T
    response: HTTPResponse


Steps: TypeAlias = Generator[Exchange | float, Came | None, T]
"""The steps of a call: yields an exchange to carry out or the seconds to wait, and returns the
result."""


def call(
    settings: Settings,
    method: str,
    path: str,
    read: Callable[[Any], T],
    arguments: RequestArguments,
    *,
    is_streamed: bool = False,
) -> Steps[Result[T]]:
    """Make a call with its own options, as `perform` does."""
    own = settings.for_call(arguments)
    return perform(own, method, path, read, arguments, is_streamed=is_streamed)


def perform(
    settings: Settings,
    method: str,
    path: str,
    read: Callable[[Any], T],
    arguments: RequestArguments,
    *,
    is_streamed: bool = False,
) -> Steps[Result[T]]:
    """Send a request, retry it where that is safe, and read the response.

    Raises what `decode` raises, and APIConnectionError if no complete response arrives.
    """
    operation = operation_of(method, path, arguments)
    draft = make_draft(settings, method, path, operation, arguments, is_streamed=is_streamed)
    max_retries = arguments.get("max_retries", settings.max_retries)
    check_limits(max_retries=max_retries)
    retryable = operation.retryable
    if retryable is None:
        retryable = method in policy.RETRIES_RETRYABLE_METHODS
    result = yield from _attempts(
        draft, operation.name, path, retryable=retryable, max_retries=max_retries
    )
    if result.opened is not None:
        return Result(cast("T", None), result)
    data = decode(result, read, operation, settings)
    check(data, Context(settings, method, path, result))
    # If there may be no content, the return type of the operation includes None.
    return Result(cast("T", data), result)


def _attempts(
    draft: Draft, operation: str | None, template: str, *, retryable: bool, max_retries: int
) -> Steps[HTTPResponse]:
    """Return the first response that is not retried."""
    settings, path = draft.settings, path_of(draft.url, draft.settings)
    retry = 0
    while True:
        attempt = Attempt(
            operation=operation, method=draft.method, template=template, path=path, retry=retry
        )
        exchange = Exchange(draft, attempt)
        outcome = None
        try:
            result = yield from _attempt(exchange)
            outcome = _outcome_of(result)
            delay = None
            if retry < max_retries:
                delay = retry_delay(result, retryable=retryable, retry=retry)
            if delay is None:
                break
            log(settings, logging.WARNING, *_retry_line(result, delay), attempt)
            yield delay
            retry += 1
        except GeneratorExit:
            raise
        except BaseException as error:
            if not isinstance(error, Exception):
                facts = AbortedCall(
                    method=draft.method,
                    path=path,
                    attempts=retry + 1,
                    outcome=outcome or exchange.outcome(),
                )
                note_abort(error, facts)
            raise
    if isinstance(result, HTTPResponse):
        return result
    log(settings, logging.ERROR, *_failure_line(result), attempt)
    raise result


def _attempt(exchange: Exchange) -> Steps[HTTPResponse | APIConnectionError]:
    """Make one attempt and log it. A failed connection is a result."""
    settings, attempt, draft = exchange.draft.settings, exchange.attempt, exchange.draft
    started = clock.monotonic()
    log(settings, logging.DEBUG, "request", lambda: {"headers": redact(draft.headers)}, attempt)
    span = Span(settings.trace, attempt)
    try:
        result = cast("Came", (yield exchange))
        span.end(result)
    finally:
        span.close()
    if isinstance(result, HTTPResponse):
        duration = clock.monotonic() - started
        log(settings, logging.INFO, *_response_line(result, duration), attempt)
        return result
    if isinstance(result, APIConnectionError):
        return result
    log(settings, logging.ERROR, *_failure_line(result), attempt)
    raise result


def _outcome_of(result: HTTPResponse | APIConnectionError) -> Outcome:
    return outcome_of(result.status) if isinstance(result, HTTPResponse) else result.outcome


Line: TypeAlias = tuple[str, Callable[[], Mapping[str, object]]]
"""The beginning of a log line, and its fields."""


def _response_line(response: HTTPResponse, duration: float) -> Line:
    return "%(status)d:", lambda: {
        "status": response.status,
        "request_id": response.request_id,
        "headers": redact(response.headers),
        "duration": duration,
    }


def _retry_line(result: HTTPResponse | APIConnectionError, delay: float) -> Line:
    if isinstance(result, HTTPResponse):
        reason = f"status {result.status}"
    else:
        reason = result.message.rpartition(" (")[0]
    return "retry in %(delay).3f s after %(reason)s:", lambda: {"delay": delay, "reason": reason}


def _failure_line(error: BaseError) -> Line:
    return "failure: %(reason)s:", lambda: {"reason": error.message, "outcome": error.outcome}
