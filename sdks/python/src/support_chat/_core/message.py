"""The messages of errors."""

from __future__ import annotations

from .._generated import policy
from .options import Settings


def path_of(url: str, settings: Settings) -> str:
    """Return the path of a URL, without base URL and query."""
    return url[len(settings.base_url) :].partition("?")[0]


def describe(
    message: str, settings: Settings, *, method: str, url: str, request_id: str | None = None
) -> str:
    """Return a message that ends with the request and never holds the key."""
    request = f", request {request_id}" if request_id else ""
    return without_key(f"{message} ({method} {path_of(url, settings)}{request})", settings)


def without_key(text: str, settings: Settings) -> str:
    """Redact the key in a text."""
    key = settings.api_key
    # A short key is a placeholder, which may also be part of a word.
    if len(key) < 8:
        return text
    # Errors of the HTTP client quote headers as Python does.
    for form in (key, repr(key)[1:-1], repr(key.encode())[2:-1]):
        text = text.replace(form, policy.REDACTION_TEXT)
    return text
