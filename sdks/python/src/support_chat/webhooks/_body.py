"""Raw request bodies."""

from __future__ import annotations

from contextlib import suppress
from typing import TypeAlias

from ._error import already_parsed

WebhookBody: TypeAlias = bytes | bytearray | memoryview | str
"""A raw body: any bytes-like object, or text, which is encoded as UTF-8."""

_CURE = (
    "Pass it unchanged. Flask: request.get_data(). Django: request.body. "
    "FastAPI and Starlette: await request.body(). aiohttp: await request.read()."
)


def bytes_of(body: WebhookBody) -> bytes:
    """Return the bytes of a body, without a copy if it is `bytes` already.

    Raises WebhookVerificationError: `body_already_parsed`.
    """
    if type(body) is bytes:
        return body
    # An object of another type may raise anything here.
    with suppress(Exception):
        return utf8(body) if isinstance(body, str) else memoryview(body).tobytes()
    raise already_parsed(_CURE)


def utf8(text: str) -> bytes:
    """Encode any text, even with lone surrogates, which no signature covers."""
    return str.encode(text, "utf-8", "surrogatepass")
