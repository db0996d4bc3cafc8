"""Converts failed attempts into errors."""

from __future__ import annotations

import httpx2

from .._generated.names import BaseError
from .decode import invalid
from .errors import APIConnectionError, APITimeoutError
from .exchange import Came, Exchange


def timed_out(exchange: Exchange, cause: BaseException | None = None) -> APITimeoutError:
    """Return the error for an attempt that exceeded its timeout."""
    draft = exchange.draft
    limit = draft.timeout
    what = "no complete response"
    outcome = exchange.outcome(cause)
    if isinstance(cause, httpx2.ConnectTimeout) and not exchange.deadline.expired:
        what, limit = "no connection", draft.connect_timeout
    within = "in time" if limit is None else f"within {limit:g} s"
    error = APITimeoutError(draft.describe(f"{what} {within}"), outcome=outcome)
    error.__cause__ = cause
    return error


def failed(exchange: Exchange, received: httpx2.Response | None, cause: Exception) -> Came:
    """Return the result of an attempt that broke before the response or inside its body."""
    if isinstance(cause, httpx2.TimeoutException):
        return timed_out(exchange, cause)
    draft = exchange.draft
    error: BaseError
    if received is None:
        outcome = exchange.outcome(cause)
        error = APIConnectionError(draft.describe(_reason(cause)), outcome=outcome)
    else:
        # The status of a failure is known already. A success is useless without its body.
        response = exchange.response_of(received, b"")
        if not response.ok:
            return response
        if isinstance(cause, httpx2.DecodingError):
            error = invalid("the body cannot be decompressed", response, draft.settings)
        else:
            error = APIConnectionError(draft.describe(_reason(cause)), outcome="unknown")
    error.__cause__ = cause
    return error


def as_raised(exchange: Exchange, error: BaseException) -> BaseException:
    """Return the error that the caller would get for one that ends an attempt before its response."""
    if error is exchange.failure and isinstance(error, Exception):
        came = failed(exchange, None, error)
        return came if isinstance(came, BaseException) else error
    if exchange.is_canceled and not isinstance(error, Exception):
        return timed_out(exchange)
    return error


def _reason(error: BaseException) -> str:
    """Return the message of the innermost cause."""
    reason = str(error)
    for _ in range(5):
        cause = error.__cause__ or error.__context__
        if cause is None:
            break
        error = cause
        reason = str(error) or reason
    return reason or type(error).__name__
