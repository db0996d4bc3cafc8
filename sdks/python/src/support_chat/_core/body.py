"""Request bodies, as bytes that can be sent again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import httpx2

from .model import json_of, text_of
from .unset import UNSET


def write_body(body: object, content_type: str) -> tuple[bytes | None, dict[str, str]]:
    """Serialize a body by its media type, and return it with its headers.

    Raises TypeError or ValueError for a body that cannot be serialized.
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
    """Serialize a form. Bytes, open files and tuples (name, content, type) are files."""
    files: list[tuple[str, Any]] = []
    for name, value in _fields(body):
        is_file = isinstance(value, bytes | tuple) or hasattr(value, "read")
        files.append((name, value if is_file else (None, text_of(value))))
    form = httpx2.Request("POST", "http://localhost", files=files)
    return form.read(), {"content-type": form.headers["content-type"]}


def _fields(body: object) -> Iterator[tuple[str, object]]:
    """Return the fields of a form: one field per item of a list, and none for an absent value."""
    if not isinstance(body, Mapping):
        body = json_of(body)
    if not isinstance(body, Mapping):
        raise TypeError("the body of a form must be an object")
    for name, value in body.items():
        for item in value if isinstance(value, list) else [value]:
            if item is not None and item is not UNSET:
                yield name, item
