"""Reads the envelope of an authentic delivery."""

from __future__ import annotations

import datetime as dt
from json import JSONDecoder
from json.scanner import make_scanner
from typing import Any, NoReturn

from .._core.scalars import parse_date_time
from .._generated.policy import WEBHOOKS_MAX_NESTING
from ._error import WebhookVerificationError


def read_envelope(body: bytes) -> dict[str, Any]:
    """Return an authentic body as parsed JSON. Its time is not checked yet.

    Raises WebhookVerificationError: `invalid_encoding`, `invalid_json`, `invalid_envelope`.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise WebhookVerificationError("invalid_encoding") from None
    try:
        value, end = _scan(text, 0)
    except (ValueError, RecursionError, StopIteration):
        end = -1
    if end != len(text):
        value = _read_unusual(text)
    # Without enough brackets, even if they were all outside strings, nothing nests too deeply.
    brackets = len(body) - len(body.replace(b"[", b"{").replace(b"{", b""))
    if brackets > WEBHOOKS_MAX_NESTING and _nests_too_deep(body):
        raise WebhookVerificationError("invalid_json")
    try:
        kind, identifier, time = value["event"], value["id"], value["occurred_at"]
        # `data` is not validated further, because one odd field must not lose the delivery.
        if (
            value["data"].__class__ is dict
            and kind.__class__ is identifier.__class__ is time.__class__ is str
            and kind
            and identifier
            and (kind.isascii() or _is_unicode(kind))
            and (identifier.isascii() or _is_unicode(identifier))
        ):
            envelope: dict[str, Any] = value
            return envelope
    except (KeyError, TypeError):  # a field is missing, or there is no object
        pass
    raise WebhookVerificationError("invalid_envelope")


def time_of(envelope: dict[str, Any]) -> dt.datetime:
    """Return the time of an event.

    Raises WebhookVerificationError: `invalid_envelope`, if there is no such day.
    """
    time: object = parse_date_time(envelope["occurred_at"])
    if isinstance(time, dt.datetime):
        return time
    raise WebhookVerificationError("invalid_envelope")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _integer(text: str) -> int | float:
    """Parse digits. `int` accepts only some thousands of them."""
    try:
        return int(text)
    except ValueError:
        return float(text)


# What `JSONDecoder.decode` calls, without the search for white space before and after.
_strict: Any = JSONDecoder(parse_constant=_refuse)
_scan = make_scanner(_strict)
_decode = JSONDecoder(parse_constant=_refuse, parse_int=_integer).decode


def _read_unusual(text: str) -> Any:
    """Parse JSON with white space around it or with huge integers. Refuses anything else."""
    try:
        return _decode(text)
    except (ValueError, RecursionError):
        raise WebhookVerificationError("invalid_json") from None


_BRACKETS = b"{}[]"
_OTHERS = bytes(byte for byte in range(256) if byte not in _BRACKETS)
_AS_BRACES = bytes.maketrans(b"[]", b"{}")


def _nests_too_deep(body: bytes) -> bool:
    """Return whether valid JSON nests too deeply anywhere, even in a member that is overwritten."""
    unescaped = body.replace(rb"\\", b"").replace(rb"\"", b"")
    outside_strings = b"".join(unescaped.split(b'"')[::2])
    braces = outside_strings.translate(_AS_BRACES, _OTHERS)
    for _ in range(WEBHOOKS_MAX_NESTING):
        braces = braces.replace(b"{}", b"")
    return bool(braces)


def _is_unicode(text: str) -> bool:
    """Return whether there is no lone surrogate, which only an escape can make."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
