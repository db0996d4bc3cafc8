"""The sentences of errors."""

from __future__ import annotations

from .._generated import policy
from .options import Settings


def path_of(url: str, settings: Settings) -> str:
    """Give the path of a request, without base URL and query."""
    return url[len(settings.base_url) :].partition("?")[0]


def describe(
    message: str, settings: Settings, *, method: str, url: str, request_id: str | None = None
) -> str:
    """Write a message that ends with the request it is about, and never holds the key."""
    request = f", request {request_id}" if request_id else ""
    return without_key(f"{message} ({method} {path_of(url, settings)}{request})", settings)


def without_key(text: str, settings: Settings) -> str:
    """Take the key out of a text."""
    # A short key is a stand-in, whose letters are those of any word.
    if len(settings.api_key) < 8:
        return text
    return text.replace(settings.api_key, policy.REDACTION_TEXT)
