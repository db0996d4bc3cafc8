"""A response with its whole body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2

from .._generated import policy


@dataclass(frozen=True, slots=True)
class Opened:
    """A response of the HTTP client whose body the caller reads."""

    received: httpx2.Response
    failed: Callable[[Exception], Any]
    """Converts an error of the HTTP client."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HTTPResponse:
    """A complete HTTP response."""

    method: str
    """The method of the request."""
    url: str = field(repr=False)
    """The URL of the request."""
    status: int
    """The status of the response."""
    headers: httpx2.Headers = field(repr=False)
    """The headers of the response."""
    content: bytes = field(repr=False)
    """The body, decompressed. Empty while the body is streamed."""
    opened: Opened | None = field(default=None, repr=False, compare=False)
    """The body that is streamed, otherwise None."""

    @property
    def ok(self) -> bool:
        """Whether the status is a success."""
        return 200 <= self.status <= 299

    @property
    def request_id(self) -> str | None:
        """Identifies the request in the service's logs."""
        return self.headers.get(policy.HEADERS_REQUEST_ID, "").strip() or None

    @property
    def text(self) -> str:
        """The body as UTF-8 text, without a byte order mark and with invalid bytes replaced."""
        return self.content.decode("utf-8", "replace").removeprefix("\ufeff")
