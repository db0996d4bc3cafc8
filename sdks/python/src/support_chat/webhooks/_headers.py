"""Reads request headers in all forms that frameworks use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from .._generated.signature import SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER
from ._body import utf8

_Text: TypeAlias = str | bytes
_Pairs: TypeAlias = Iterable[tuple[_Text, _Text | Sequence[_Text] | None]]


class _HasItems(Protocol):
    def items(self) -> _Pairs:
        """Return the names and values."""


WebhookHeaders: TypeAlias = _HasItems | _Pairs
"""A mapping, any headers object with `items`, or pairs as in ASGI.

A value may be a list, which holds the values of a repeated header.
"""

_Values: TypeAlias = tuple[str | None, str | None]

_BLANKS = " \t"
_NAMES: Mapping[str | bytes, str] = {
    spelling: name
    for name in (SIGNATURE_HEADER, SIGNATURE_EVENT_HEADER)
    for spelling in (name, name.encode())
}


def webhook_headers(headers: Any) -> _Values:
    """Return the trimmed values of the signature header and of the event header.

    Names are case-insensitive. Repeated values are joined with a comma, as servers do it.
    Unreadable headers count as absent.
    """
    if type(headers) is dict:
        try:
            # A dict whose names are all in lower case repeats none.
            names = tuple(headers)
            if names == _lower_names or _are_lower(names):
                signature = headers.get(SIGNATURE_HEADER)
                kind = headers.get(SIGNATURE_EVENT_HEADER)
                if type(signature) is str and type(kind) is str:
                    return signature.strip(_BLANKS), kind.strip(_BLANKS)
        except TypeError:  # a name that is no text
            pass
    return _search(headers)


_lower_names: tuple[str, ...] = ()
"""The names of the last headers that were all in lower case. A server sends the same ones each time."""


def _are_lower(names: tuple[str, ...]) -> bool:
    global _lower_names
    joined = "".join(names)
    if joined != joined.lower():
        return False
    _lower_names = names
    return True


def is_kind(value: str, kind: str) -> bool:
    """Return whether a header has the bytes of an event kind.

    Servers decode headers as Latin-1. Text beyond Latin-1 was decoded as UTF-8.
    """
    if value.isascii():
        return value == kind
    try:
        header = value.encode("latin-1")
    except UnicodeEncodeError:
        header = utf8(value)
    return header == kind.encode()


def _search(headers: Any) -> _Values:
    # In one pass, because an iterator allows no second one.
    values: dict[str, str] = {}
    try:
        for key, value in headers.items() if hasattr(headers, "items") else headers:
            lower = key.lower()
            if lower not in _NAMES:
                continue
            text = value.strip(_BLANKS) if type(value) is str else _text(value)
            if text is not None:
                name = _NAMES[lower]
                values[name] = f"{values[name]},{text}" if name in values else text
    except Exception:  # noqa: BLE001 - a headers object may raise anything
        return None, None
    return values.get(SIGNATURE_HEADER), values.get(SIGNATURE_EVENT_HEADER)


def _text(value: object) -> str | None:
    """Return a value, or the values of a list, as text. None if there is none."""
    if isinstance(value, list | tuple):
        texts = [_trimmed(one) for one in value if one is not None]
        return ",".join(texts) if texts else None
    return None if value is None else _trimmed(value)


def _trimmed(value: object) -> str:
    text = bytes.decode(value, "latin-1") if isinstance(value, bytes) else str(value)
    return str.strip(text, _BLANKS)
