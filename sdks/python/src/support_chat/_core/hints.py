"""What the annotations of a model say about its fields.

A field without a default is required, one whose default is UNSET may be null, and one whose default is
None may only be absent.
"""

from __future__ import annotations

import types as builtin
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from .model import Model
from .unset import UNSET

Fits: TypeAlias = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """What the contract says about a field."""

    wire: str
    is_required: bool
    is_nullable: bool
    fits: Fits
    """Whether a value that was read has the type."""


_rules: dict[type[Model], dict[str, Rule]] = {}


def rules_of(model: type[Model]) -> dict[str, Rule]:
    """Return the rules for the fields of a model."""
    rules = _rules.get(model)
    if rules is None:
        try:
            hints = get_type_hints(model)
        except Exception:  # noqa: BLE001  # A subclass of the caller may name what only it can see.
            hints = {}
        rules = _rules[model] = {one.name: _rule(one, model, hints) for one in fields(model)}
    return rules


def _rule(one: Field[Any], model: type[Model], hints: Mapping[str, Any]) -> Rule:
    # With the default None, None stands for an absent value, and not for null.
    fits = _fits(hints.get(one.name, Any), without=type(None) if one.default is None else None)
    return Rule(
        wire=model._names.get(one.name, one.name),
        is_required=one.default is not None and one.default is not UNSET,
        is_nullable=one.default is not None and fits(None),
        fits=fits,
    )


def _fits(hint: Any, without: type | None = None) -> Fits:
    """Return a function that says whether a value that was read has the type."""
    kinds, others = _parts(hint)
    if kinds is None:
        return lambda _: True
    kinds -= {without}
    is_integer = int in kinds and float not in kinds
    simple = frozenset(kinds)

    def fits(value: Any) -> bool:
        if value.__class__ in simple:
            return True
        if is_integer and value.__class__ is float and value.is_integer():
            return True
        return any(other(value) for other in others)

    return fits


def _parts(hint: Any) -> tuple[set[type] | None, list[Fits]]:
    """Split a type into classes, and functions for the rest. None stands for any type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {type(argument) for argument in arguments}, []
    if origin is Union or origin is builtin.UnionType:
        kinds: set[type] = set()
        others: list[Fits] = []
        for argument in arguments:
            some, more = _parts(argument)
            if some is None:
                return None, []
            kinds |= some
            others += more
        return kinds, others
    if origin is list:
        item = _fits(arguments[0])
        return set(), [lambda value: value.__class__ is list and all(map(item, value))]
    if origin is dict:
        member = _fits(arguments[1])
        return set(), [lambda value: value.__class__ is dict and all(map(member, value.values()))]
    if hint is float:
        return {int, float}, []
    if not isinstance(hint, type) or hint is bytes:
        return None, []
    return {hint}, []
