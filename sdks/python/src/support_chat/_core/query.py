"""Serializes queries in the styles of OpenAPI."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .model import json_of
from .operation import Style
from .path import encode
from .unset import UNSET

_FORM = Style()
_SEPARATORS = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "|"}


def write_query(query: Mapping[str, object], styles: Mapping[str, Style]) -> str:
    """Return a query without its question mark. Null and absent parameters are omitted."""
    parts = [
        f"{encode(name)}={text}"
        for wire, value in query.items()
        if value is not None and value is not UNSET
        for name, text in _pairs(wire, json_of(value), styles.get(wire, _FORM))
    ]
    return "&".join(parts)


def _pairs(name: str, value: object, style: Style) -> Iterator[tuple[str, str]]:
    """Yield the names and encoded values of one parameter."""
    if isinstance(value, dict):
        members = [(key, encode(item)) for key, item in value.items() if item is not None]
        if style.style == "deepObject":
            yield from ((f"{name}[{key}]", text) for key, text in members)
        elif style.explode:
            yield from members
        else:
            yield name, ",".join(f"{encode(key)},{text}" for key, text in members)
    elif isinstance(value, list):
        items = [encode(item) for item in value]
        if style.explode:
            yield from ((name, item) for item in items)
        elif items:
            yield name, _SEPARATORS.get(style.style, ",").join(items)
    else:
        yield name, encode(value)
