"""Fills the placeholders of paths safely."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from .._generated.names import BaseError
from .model import json_of, text_of
from .unset import UNSET

# `.` and `..`, plain or percent-encoded, and characters that end a path.
_UNSAFE = re.compile(r"(^|/)(\.|%(25)?2e){1,2}(?=/|$)|[?#\\\s]", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def fill_path(template: str, params: Mapping[str, object]) -> str:
    """Fill the placeholders of a path. A value can never add or remove segments.

    Raises the base error with the outcome `not_sent` for a value that no path can hold.
    """
    if not template.startswith("/"):
        raise BaseError('A path must begin with "/".')

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        value = params.get(name)
        segment = ",".join(map(encode, items_of(json_of(value))))
        if segment:
            return segment
        raise BaseError(f'The path parameter "{name}" is missing or empty.')

    path = _PLACEHOLDER.sub(fill, template)
    if _UNSAFE.search(path):
        raise BaseError(
            'A path must not contain a segment "." or "..", white space, or one of "?#\\".'
        )
    return path


def items_of(value: object) -> list[object]:
    """Return the items of a list, or the names and values of an object."""
    if isinstance(value, dict):
        return [text for name, item in value.items() if item is not None for text in (name, item)]
    return value if isinstance(value, list) else [value]


def encode(value: object) -> str:
    """Percent-encode a value for a URL. An absent value or null becomes empty."""
    if value is None or value is UNSET:
        return ""
    try:
        return quote(text_of(value), safe="-_.!~*'()")
    except UnicodeEncodeError:
        raise BaseError("A part of the URL holds a lone surrogate.") from None
