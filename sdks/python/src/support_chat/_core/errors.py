"""The errors that a call can raise.

BaseError (_generated/names.py: named after the platform)
├── APIError                 the service returned an unsuccessful status
│   └── the classes of single statuses (_generated/errors.py)
├── APIConnectionError       no complete response arrived
│   └── APITimeoutError
└── InvalidResponseError     a success that cannot be read
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2

from .._generated.names import BaseError
from .._generated.policy import Outcome

if TYPE_CHECKING:
    from .._generated.problem import Problem


class APIError(BaseError):
    """The service returned an unsuccessful status."""

    outcome: Outcome  # pyright: ignore[reportIncompatibleVariableOverride]  # never None here
    status: int
    """The status of the response."""
    code: str | None
    """The machine-readable kind of the problem, from the body."""
    request_id: str | None
    """Identifies the request in the service's logs. Quote it when you ask for help."""
    retry_after: float | None
    """The seconds to wait before the next request, if the service names them."""
    headers: httpx2.Headers
    """The headers of the response."""
    body: object
    """The body: parsed if it is JSON, otherwise its text."""

    @property
    def problem(self) -> Problem | None:
        """The problem as the contract describes it. None if the body is no such object."""
        from .._generated.problem import read_problem  # loads all models

        return read_problem(self.body)

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
    """No complete response arrived: the connection failed, or broke before the end of the body."""

    outcome: Outcome  # pyright: ignore[reportIncompatibleVariableOverride]  # never None here


class APITimeoutError(APIConnectionError):
    """An attempt exceeded its timeout."""


class InvalidResponseError(BaseError):
    """The service reported success, but the response cannot be read."""

    outcome: Outcome  # pyright: ignore[reportIncompatibleVariableOverride]  # never None here
    status: int
    """The status of the response."""
    headers: httpx2.Headers
    """The headers of the response."""
    body: str | bytes
    """The body as it was received: text, otherwise bytes."""
    request_id: str | None
    """Identifies the request in the service's logs."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        headers: httpx2.Headers,
        body: str | bytes = "",
        request_id: str | None = None,
    ) -> None:
        super().__init__(message, outcome="unknown")
        self.status = status
        self.headers = headers
        self.body = body
        self.request_id = request_id
