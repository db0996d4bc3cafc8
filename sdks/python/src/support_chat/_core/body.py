"""Request bodies: bytes that can be sent any number of times."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import IO, Any, TypeAlias
from urllib.parse import urlencode

import httpx2

from .model import json_of, text_of
from .unset import UNSET

FileTypes: TypeAlias = bytes | IO[bytes] | tuple[str, bytes | IO[bytes], str]
"""A file of a form: its content, an open file, or its name, content and media type."""


def write_body(body: object, content_type: str) -> tuple[bytes | None, dict[str, str]]:
    """Write a body as its media type has it, and give the headers that go with it.

    Raises TypeError or ValueError for what cannot be written.
    """
    if body is UNSET:
        return None, {}
    if content_type == "multipart/form-data":
        return _multipart(body)
    headers = {"content-type": content_type}
    if content_type == "application/x-www-form-urlencoded":
        return urlencode(
            [(name, text_of(value)) for name, value in _fields(body)]
        ).encode(), headers
    if content_type == "application/json" or content_type.endswith("+json"):
        text = json.dumps(json_of(body), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode(), headers
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(body), headers
    return text_of(body).encode(), headers


def _multipart(body: object) -> tuple[bytes, dict[str, str]]:
    """Write a form: bytes, open files and httpx2's tuples (name, content, type) are its files."""
    files: list[tuple[str, Any]] = []
    for name, value in _fields(body):
        is_file = isinstance(value, bytes | tuple) or hasattr(value, "read")
        files.append((name, value if is_file else (None, text_of(value))))
    form = httpx2.Request("POST", "http://localhost", files=files)
    return form.read(), {"content-type": form.headers["content-type"]}


def _fields(body: object) -> Iterator[tuple[str, object]]:
    """Give the fields of a form: a list is repeated, an absent value left out."""
    if not isinstance(body, Mapping):
        body = json_of(body)
    if not isinstance(body, Mapping):
        raise TypeError("a form is written from an object")
    for name, value in body.items():
        for item in value if isinstance(value, list) else [value]:
            if item is not None and item is not UNSET:
                yield name, item
