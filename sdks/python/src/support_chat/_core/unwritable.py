"""Finds the part of a request that cannot be written."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping
from typing import Any

from .model import Model, UnknownVariant
from .unset import UNSET

_DEEPEST = 900


def reason_of(parts: Mapping[str, Any]) -> str:
    """Return which field of which part cannot be written, and why. Never quotes a value."""
    for name, value in parts["header"].items():
        if not isinstance(value, str):
            return f"header.{name} cannot be written: it is {type(value).__name__}, not text"
    for part, value in parts.items():
        for path, reason in _faults(value, part, ()):
            return f"{path} cannot be written: {reason}"
    return "the query, a header or the body cannot be written"


def _faults(value: Any, path: str, within: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    if isinstance(value, Model | UnknownVariant):
        value = value.to_dict()
    if value is None or value is UNSET or isinstance(value, bool | int | dt.date):
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            yield path, f"{value} is not JSON"
    elif isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            yield path, "the text has a lone surrogate"
    elif isinstance(value, Mapping | list | tuple):
        if id(value) in within:
            yield path, "it contains itself"
        elif len(within) > _DEEPEST:
            yield path, "it is nested too deeply"
        else:
            for name, item in _items(value):
                yield from _faults(item, path + name, (*within, id(value)))
    elif not isinstance(value, bytes | bytearray | memoryview) and not hasattr(value, "read"):
        yield path, f"{type(value).__name__} is not a type of JSON"


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return ((f".{name}", item) for name, item in value.items())
    return ((f"[{index}]", item) for index, item in enumerate(value))
