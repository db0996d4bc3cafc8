"""What a failed connection says about its request."""

from __future__ import annotations

import httpx2

from .._generated.names import BaseError
from .._generated.policy import Outcome
from .call import Draft
from .decode import invalid
from .errors import APIConnectionError, APITimeoutError
from .reply import Reply

# A request is known not to have left only where the failure can occur nowhere but before it: no
# address, no connection, no trust.
_NOT_SENT = (
    httpx2.ConnectError,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
    httpx2.InvalidURL,
)


def timed_out(draft: Draft, cause: BaseException | None = None) -> APITimeoutError:
    """Make the error for an attempt that took too long."""
    message = draft.describe(f"no whole answer within {draft.timeout:g} s")
    error = APITimeoutError(message, outcome="unknown")
    error.__cause__ = cause
    return error


def failed(draft: Draft, response: httpx2.Response | None, cause: Exception) -> Reply | BaseError:
    """Say what an attempt comes to that broke, before its answer began or inside the body."""
    if isinstance(cause, httpx2.TimeoutException):
        return timed_out(draft, cause)
    error: BaseError
    if response is None:
        outcome: Outcome = "not_sent" if isinstance(cause, _NOT_SENT) else "unknown"
        error = APIConnectionError(draft.describe(_reason(cause)), outcome=outcome)
    else:
        # A failure's status is known already; only a success is worth nothing without its body.
        reply = draft.reply(response, b"")
        if not reply.ok:
            return reply
        if isinstance(cause, httpx2.DecodingError):
            error = invalid("the body cannot be decompressed", reply, draft.settings)
        else:
            error = APIConnectionError(draft.describe(_reason(cause)), outcome="unknown")
    error.__cause__ = cause
    return error


def _reason(error: BaseException) -> str:
    """Give the innermost reason, in the words of whoever found it."""
    reason = str(error)
    for _ in range(5):
        cause = error.__cause__ or error.__context__
        if cause is None:
            break
        error = cause
        reason = str(error) or reason
    return reason or type(error).__name__
