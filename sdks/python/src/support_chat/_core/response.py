"""A response with its whole body."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .._generated import policy

if TYPE_CHECKING:
    import httpx2


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
    """The body, decompressed."""

    @property
    def ok(self) -> bool:
        """Whether the status is a success."""
        return 200 <= self.status <= 299

    @property
    def request_id(self) -> str | None:
        """Identifies the request in the service's logs."""
        return self.headers.get(policy.HEADERS_REQUEST_ID)

    @property
    def text(self) -> str:
        """The body as UTF-8 text, without a byte order mark and with invalid bytes replaced."""
        return self.content.decode("utf-8", "replace").removeprefix("\ufeff")
