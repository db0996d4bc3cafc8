"""The trusted certificates."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import httpx2

if TYPE_CHECKING:
    import ssl


@cache
def trust() -> ssl.SSLContext:
    """Read the trusted certificates once for all clients, because that is slow."""
    return httpx2.create_ssl_context()
