"""The errors that a call can end with.

BaseError (_generated/names.py: it bears the platform's name)
├── APIError                 the service answered with a status that is no success
│   └── one class per status that has one (_generated/errors.py)
├── APIConnectionError       no whole answer arrived
│   └── APITimeoutError
└── InvalidResponseError     a success that cannot be read
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._generated.names import BaseError

if TYPE_CHECKING:
    import httpx2

    from .._generated.policy import Outcome


class APIError(BaseError):
    """The service answered with a status that is no success."""

    status: int
    """The status of the answer."""
    code: str | None
    """The kind of problem for programs, as the body names it."""
    request_id: str | None
    """Identifies the request in the service's logs. Quote it when you ask for help."""
    retry_after: float | None
    """Seconds to wait before the next request, where the service says so."""
    headers: httpx2.Headers
    """The headers of the answer."""
    body: object
    """The body: parsed if it is JSON, else its text."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        outcome: Outcome,
        headers: httpx2.Headers,
        body: object = None,
        code: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, outcome=outcome)
        self.status = status
        self.code = code
        self.request_id = request_id
        self.retry_after = retry_after
        self.headers = headers
        self.body = body


class APIConnectionError(BaseError):
    """No whole answer arrived: the connection failed, or broke before the end of the body."""


class APITimeoutError(APIConnectionError):
    """An attempt took longer than its time-out; nobody knows whether it had an effect."""


class InvalidResponseError(BaseError):
    """The service reported success, but with an answer that cannot be read."""

    request_id: str | None
    """Identifies the request in the service's logs."""

    def __init__(self, message: str, *, request_id: str | None = None) -> None:
        super().__init__(message, outcome="unknown")
        self.request_id = request_id
