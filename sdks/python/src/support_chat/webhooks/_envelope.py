"""Reads the envelope of an authentic delivery."""

from __future__ import annotations

import datetime as dt
from json import JSONDecoder
from typing import Any, NamedTuple, NoReturn

from .._generated.policy import WEBHOOKS_MAX_NESTING
from ._error import WebhookVerificationError
from ._timestamp import instant_of


class Envelope(NamedTuple):
    """The fields of every event."""

    kind: str
    occurred_at: dt.datetime
    value: dict[str, Any]
    """The whole event as parsed JSON."""


def read_envelope(body: bytes) -> Envelope:
    """Read the envelope of an authentic body.

    Raises WebhookVerificationError: `invalid_encoding`, `invalid_json`, `invalid_envelope`.
    """
    match _parse(_decode(body)):
        # `data` is not validated, because one odd field must not lose the delivery.
        case {
            "event": str(kind),
            "id": str(identifier),
            "occurred_at": str(time),
            "data": dict(),
        } as value if kind and identifier and (occurred_at := instant_of(time)):
            return Envelope(kind, occurred_at, value)
    raise WebhookVerificationError("invalid_envelope")


def _decode(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise WebhookVerificationError("invalid_encoding") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _integer(text: str) -> int | float:
    """Parse digits. `int` accepts only some thousands of them."""
    try:
        return int(text)
    except ValueError:
        return float(text)


_decoder = JSONDecoder(parse_constant=_refuse, parse_int=_integer)


def _parse(text: str) -> Any:
    try:
        value = _decoder.decode(text)
    except (ValueError, RecursionError):
        raise WebhookVerificationError("invalid_json") from None
    # With few brackets there is no need to walk through the value.
    if text.count("{") + text.count("[") > WEBHOOKS_MAX_NESTING and _nests_too_deep(value):
        raise WebhookVerificationError("invalid_json")
    return value


def _nests_too_deep(value: object) -> bool:
    level = _containers([value])
    for _ in range(WEBHOOKS_MAX_NESTING):
        level = [inner for outer in level for inner in _containers(outer)]
    return bool(level)


def _containers(value: Any) -> list[Any]:
    items = value.values() if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, dict | list)]
