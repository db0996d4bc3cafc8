"""Paths, filled so that they address what the template says and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from .._generated.names import BaseError
from .model import json_of, text_of
from .unset import UNSET

# `.` and `..`, also where a server on the way would decode them into that, and what ends a path.
_UNSAFE = re.compile(r"(^|/)(\.|%(25)?2e){1,2}(?=/|$)|[?#\\\s]", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def fill_path(template: str, params: Mapping[str, object]) -> str:
    """Fill a path's placeholders; values can neither add, remove nor climb segments.

    Raises the base error with the outcome `not_sent` for a value that cannot stand in a path.
    """
    if not template.startswith("/"):
        raise BaseError('A path begins with "/".')

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        value = params.get(name)
        segment = ",".join(map(encode, items_of(json_of(value))))
        if segment:
            return segment
        raise BaseError(f'The path parameter "{name}" is missing or empty.')

    path = _PLACEHOLDER.sub(fill, template)
    if _UNSAFE.search(path):
        raise BaseError('The path has a segment "." or "..", or one of "?#\\" and space.')
    return path


def items_of(value: object) -> list[object]:
    """Give what stands between commas: a list's items, or an object's names and values."""
    if isinstance(value, dict):
        return [text for name, item in value.items() if item is not None for text in (name, item)]
    return value if isinstance(value, list) else [value]


def encode(value: object) -> str:
    """Write a value as a part of a URL in which nothing has a meaning of its own.

    What is absent or null is empty.
    """
    if value is None or value is UNSET:
        return ""
    try:
        return quote(text_of(value), safe="-_.!~*'()")
    except UnicodeEncodeError:
        raise BaseError("A part of the URL has a lone surrogate.") from None
