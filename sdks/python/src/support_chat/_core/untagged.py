"""Reads unions of objects that no field tells apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from .model import Model, UnknownVariant


def untagged(
    variants: Sequence[type[Model]], others: Sequence[Callable[[Any], Any]], value: Any
) -> Any:
    """Read a union of objects as the variant with all required and most other fields present.

    If no variant matches, the first of `others` that converts the value wins.
    """
    best = _best(variants, value) if isinstance(value, Mapping) else None
    for read in [best.read] if best else others:
        made = read(value)
        if made is not value:
            return made
    return UnknownVariant(value) if isinstance(value, Mapping) else value


def _best(variants: Sequence[type[Model]], value: Mapping[str, Any]) -> type[Model] | None:
    best, most = None, -1
    for variant in variants:
        names = {variant._names.get(f.name, f.name): f for f in fields(variant)}
        required = {wire for wire, f in names.items() if f.default is MISSING}
        score = len(names.keys() & value.keys())
        if required <= value.keys() and score > most:
            best, most = variant, score
    return best
