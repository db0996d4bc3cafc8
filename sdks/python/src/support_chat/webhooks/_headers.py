"""The headers of a request, in any of the forms that frameworks hand them over in."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any, Protocol, TypeAlias

_Text: TypeAlias = str | bytes
_Pairs: TypeAlias = Iterable[tuple[_Text, _Text | Sequence[_Text] | None]]


class _HasItems(Protocol):
    def items(self) -> _Pairs:
        """Give the names and values."""


WebhookHeaders: TypeAlias = _HasItems | _Pairs
"""A mapping, any class of headers that has `items`, or pairs, like those of ASGI.

A list holds the values of a header that is repeated.
"""

_LISTS = (list, tuple)


def header_values(headers: Any, names: Container[str]) -> dict[str, str]:
    """Give the values of some headers, trimmed; their names, here in lower case, have no case.

    Several values are joined with a comma, as servers do it. Headers that cannot be read hold
    nothing. They are gone through once, as some can be read only once.
    """
    values: dict[str, str] = {}
    try:
        for key, value in headers.items() if hasattr(headers, "items") else headers:
            name = (key if type(key) is str else _text(key)).lower()
            if name not in names:
                continue
            for one in value if isinstance(value, _LISTS) else (value,):
                if one is None:
                    continue
                text = str.strip(one if type(one) is str else _text(one), " \t")
                values[name] = f"{values[name]},{text}" if name in values else text
    except Exception:  # noqa: BLE001 - an object of the caller may raise anything
        return {}
    return values


def _text(value: object) -> str:
    return bytes.decode(value, "latin-1") if isinstance(value, bytes) else str(value)
