"""Bodies as they came."""

from __future__ import annotations

from contextlib import suppress
from typing import TypeAlias

from ._error import WebhookVerificationError

WebhookBody: TypeAlias = bytes | bytearray | memoryview | str
"""A body as it came: bytes in any of Python's forms, or text that is taken as UTF-8."""


def bytes_of(body: WebhookBody, limit: float) -> bytes:
    """Give the bytes of a body, without a copy where it is bytes already.

    Raises WebhookVerificationError: `payload_too_large`, `body_already_parsed`.
    """
    content = body if type(body) is bytes else _copy(body)
    if len(content) > limit:
        raise WebhookVerificationError("payload_too_large")
    return content


def utf8(text: str) -> bytes:
    """Encode any text, also one that is not Unicode: no delivery is signed like that."""
    return str.encode(text, "utf-8", "surrogatepass")


def _copy(body: WebhookBody) -> bytes:
    # Whatever an object of another kind does when it is asked for its bytes, it is no body.
    with suppress(Exception):
        return utf8(body) if isinstance(body, str) else memoryview(body).tobytes()
    raise WebhookVerificationError("body_already_parsed")
