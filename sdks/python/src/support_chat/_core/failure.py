"""Converts failed attempts into errors."""

from __future__ import annotations

import httpx2

from .._generated.names import BaseError
from .._generated.policy import Outcome
from .call import Draft
from .decode import invalid
from .errors import APIConnectionError, APITimeoutError
from .response import HTTPResponse

# Errors that occur only before a request is sent: no address, no connection, no trust.
_NOT_SENT = (
    httpx2.ConnectError,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
    httpx2.InvalidURL,
)


def timed_out(draft: Draft, cause: BaseException | None = None) -> APITimeoutError:
    """Return the error for an attempt that exceeded its timeout."""
    message = draft.describe(f"no complete response within {draft.timeout:g} s")
    error = APITimeoutError(message, outcome="unknown")
    error.__cause__ = cause
    return error


def failed(
    draft: Draft, received: httpx2.Response | None, cause: Exception
) -> HTTPResponse | BaseError:
    """Return the result of an attempt that broke before the response or inside its body."""
    if isinstance(cause, httpx2.TimeoutException):
        return timed_out(draft, cause)
    error: BaseError
    if received is None:
        outcome: Outcome = "not_sent" if isinstance(cause, _NOT_SENT) else "unknown"
        error = APIConnectionError(draft.describe(_reason(cause)), outcome=outcome)
    else:
        # The status of a failure is known already. A success is useless without its body.
        response = draft.response_of(received, b"")
        if not response.ok:
            return response
        if isinstance(cause, httpx2.DecodingError):
            error = invalid("the body cannot be decompressed", response, draft.settings)
        else:
            error = APIConnectionError(draft.describe(_reason(cause)), outcome="unknown")
    error.__cause__ = cause
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
