"""What the annotations of a model say about its fields.

A field without a default is required, one whose default is UNSET may be null, and one whose default is
None may only be absent.
"""

from __future__ import annotations

import types as builtin
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields
from operator import attrgetter
from typing import Any, Literal, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from .model import Model, wire_of
from .unset import UNSET

Fits: TypeAlias = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """What the contract says about a field."""

    wire: str
    is_required: bool
    is_nullable: bool
    kinds: frozenset[type] | None
    """The classes of values that were read. None stands for any class."""
    others: list[Fits]
    """The tests for lists and maps."""

    def fits(self, value: Any) -> bool:
        """Return whether a value that was read has the type."""
        return _has_type(value, self.kinds, self.others)

    @property
    def is_deep(self) -> bool:
        """Whether a value may contain objects."""
        return bool(self.others) or any(issubclass(kind, Model) for kind in self.kinds or ())


class Rules:
    """The rules for the fields of a model.

    Most objects have fields of the same classes as one before, which is all that must be looked at.
    """

    __slots__ = ("_containers", "_shapes", "by_name", "deep", "values_of")

    def __init__(self, by_name: dict[str, Rule]) -> None:
        self.by_name = by_name
        self.values_of = _getter(list(by_name))
        """Returns the values of an object, in the order of the rules."""
        rules = list(by_name.values())
        self.deep = [index for index, rule in enumerate(rules) if rule.is_deep]
        """The indexes of the values that may contain objects."""
        self._containers = [(index, rule) for index, rule in enumerate(rules) if rule.others]
        # The fields that must be present, by the classes of the values of an object without faults.
        self._shapes: dict[tuple[type, ...], frozenset[str]] = {}

    def attribute(self, wire: str) -> str:
        """Return the attribute for a field of the JSON object."""
        return next(name for name, rule in self.by_name.items() if rule.wire == wire)

    def match(self, values: tuple[Any, ...], value: object) -> bool:
        """Return whether an object is like one that has no faults."""
        present = self._shapes.get(tuple(map(type, values)))
        if present is None or (present and not wire_of(cast("Model", value)).keys() >= present):
            return False
        containers = self._containers
        return not containers or all(rule.fits(values[index]) for index, rule in containers)

    def remember(self, values: tuple[Any, ...]) -> None:
        """Remember the values of an object without faults."""
        rules = list(zip(self.by_name.values(), values, strict=True))
        # A float may be an integer or not, whatever its class.
        if all(rule.others or not rule.kinds or type(value) in rule.kinds for rule, value in rules):
            present = {rule.wire for rule, value in rules if value is None and rule.is_required}
            self._shapes[tuple(map(type, values))] = frozenset(present)


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


known_rules: dict[type, Rules] = {}
"""The rules of the models that were compared."""


def rules_of(model: type[Model]) -> Rules:
    """Return the rules for the fields of a model."""
    rules = known_rules.get(model)
    if rules is None:
        try:
            hints = get_type_hints(model)
        except Exception:  # noqa: BLE001  # A subclass of the caller may name what only it can see.
            hints = {}
        rules = Rules({one.name: _rule(one, model, hints) for one in fields(model)})
        known_rules[model] = rules
    return rules


def _rule(one: Field[Any], model: type[Model], hints: Mapping[str, Any]) -> Rule:
    kinds, others = _parts(hints.get(one.name, Any))
    if kinds and one.default is None:
        # None stands for an absent value here, and not for null.
        kinds.discard(type(None))
    return Rule(
        wire=model._names.get(one.name, one.name),
        is_required=one.default is not None and one.default is not UNSET,
        is_nullable=one.default is not None and (kinds is None or type(None) in kinds),
        kinds=None if kinds is None else frozenset(kinds),
        others=others,
    )


def _has_type(value: Any, kinds: frozenset[type] | None, others: list[Fits]) -> bool:
    if kinds is None or value.__class__ in kinds:
        return True
    # JSON does not tell 1 from 1.0.
    if value.__class__ is float and int in kinds:
        return bool(value.is_integer())
    return any(other(value) for other in others)


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
        items = _all(arguments[0])
        return set(), [lambda value: value.__class__ is list and items(value)]
    if origin is dict:
        members = _all(arguments[1])
        return set(), [lambda value: value.__class__ is dict and members(value.values())]
    if hint is float:
        return {int, float}, []
    if not isinstance(hint, type) or hint is bytes:
        return None, []
    return {hint}, []


def _all(hint: Any) -> Fits:
    """Return a function that says whether all items have a type."""
    some, others = _parts(hint)
    if some is None:
        return lambda _: True
    kinds = frozenset(some)
    return lambda items: (
        kinds.issuperset(map(type, items)) or all(_has_type(item, kinds, others) for item in items)
    )
