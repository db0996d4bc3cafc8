"""An answer with its whole body."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .._generated import policy

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What arrived: all that the runtime sees of an answer."""

    method: str
    """The method of the request."""
    url: str = field(repr=False)
    """The URL of the request."""
    status: int
    """The status of the answer."""
    headers: httpx2.Headers = field(repr=False)
    """The headers of the answer."""
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
        """The body as UTF-8 without its byte order mark, and a mark in place of what is none."""
        return self.content.decode("utf-8", "replace").removeprefix("\ufeff")
