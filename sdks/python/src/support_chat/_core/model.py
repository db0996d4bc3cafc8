"""Reads objects of the API as immutable Python objects, and writes them back.

Reading accepts what a newer service may send. It keeps unknown values and unknown fields, leaves a
value of an unexpected type unchanged, and makes an absent field None (or UNSET where null has a
meaning). Writing returns what was read.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from .scalars import write_date_time
from .unset import UNSET

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[Any], Any]:
        """Stand-in at run time, because only type checkers need it."""
        return lambda decorator: decorator


T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """An object of the API."""

    _names: ClassVar[Mapping[str, str]] = {}
    """The names in JSON of fields whose names differ."""

    _wire: Mapping[str, Any] | None = field(default=None, repr=False, compare=False, kw_only=True)
    """The JSON object that this object was read from."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read an object from parsed JSON. Raises TypeError for anything else."""
        if isinstance(data, dict):
            return cls.read(data)
        raise TypeError(f"{cls.__name__} is made from an object, not from {type(data).__name__}")

    @classmethod
    def read(cls, value: Any) -> Self:
        """Read a value from parsed JSON. Returns anything but an object unchanged."""
        if value.__class__ is not dict:
            return cast("Self", value)
        draft = _draft_of(cls)()
        draft._wire = value
        cls._fill(draft, value)
        draft.__class__ = cls
        made: Self = draft
        return made

    @staticmethod
    def _fill(draft: Any, data: Mapping[str, Any]) -> None:
        """Set every field from the JSON object."""

    @property
    def extra(self) -> dict[str, Any]:
        """The fields that this version does not know, as parsed JSON."""
        known = {wire for _, wire in _described(self)}
        return {name: value for name, value in (self._wire or {}).items() if name not in known}

    def to_dict(self) -> dict[str, Any]:
        """Return the object as JSON data, with unknown fields and without absent ones.

        Fields that were read and not changed are returned exactly as they were received.
        """
        data: dict[str, Any] = json_of(self._wire or {})
        read = None if self._wire is None else self.read(self._wire)
        for described, wire in _described(self):
            value = getattr(self, described.name)
            if read is not None and value == getattr(read, described.name):
                continue
            if value is UNSET or (value is None and described.default is None):
                data.pop(wire, None)
            else:
                data[wire] = json_of(value)
        return data


@dataclass_transform(frozen_default=True, kw_only_default=True)
def model(cls: type[T]) -> type[T]:
    """Turn a class into an immutable dataclass with slots and keyword arguments."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)


_drafts: dict[type[Model], Callable[[], Any]] = {}


def _draft_of(cls: type[Model]) -> Callable[[], Any]:
    """Return a class of the same layout whose fields can be set.

    An object is filled as a draft, which then changes its class. Setting the fields of a frozen
    dataclass takes twice as long as the rest of the reading.
    """
    draft = _drafts.get(cls)
    if draft is None:
        body = {
            "__slots__": cls.__slots__,
            "__init__": object.__init__,
            "__setattr__": object.__setattr__,
            "__delattr__": object.__delattr__,
        }
        _drafts[cls] = draft = type(cls.__name__, cls.__bases__, body)
    return draft


def _described(value: Model) -> Iterator[tuple[Field[Any], str]]:
    """Yield the fields of the contract with their names in JSON."""
    for described in fields(value):
        if described.name != "_wire":
            yield described, value._names.get(described.name, described.name)


def json_of(value: object) -> Any:
    """Return a value as JSON data, without absent fields."""
    if isinstance(value, Model | UnknownVariant):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(name): json_of(item) for name, item in value.items() if item is not UNSET}
    if isinstance(value, list | tuple):
        return [json_of(item) for item in value]
    if isinstance(value, dt.datetime):
        return write_date_time(value)
    return value.isoformat() if isinstance(value, dt.date) else value


def text_of(value: object) -> str:
    """Return a scalar as text for a URL or a form."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(json_of(value))


def as_is(value: Any) -> Any:
    """Return a value unchanged."""
    return value


def nothing(_: Any) -> None:
    """Read a response without content."""


def each(read: Callable[[Any], T], value: Any) -> list[T]:
    """Read a list."""
    if isinstance(value, list):
        return [read(item) for item in value]
    return cast("list[T]", value)


def values(read: Callable[[Any], T], value: Any) -> dict[str, T]:
    """Read a map."""
    if isinstance(value, dict):
        return {name: read(item) for name, item in value.items()}
    return cast("dict[str, T]", value)


@dataclass(frozen=True, slots=True)
class UnknownVariant:
    """A value of a union that matches no variant that this version knows."""

    value: Any
    """The value as parsed JSON."""

    def to_dict(self) -> Any:
        """Return the value as it was received."""
        return self.value


def tagged(tag: str, variants: Mapping[str, Callable[[Any], T]], value: Any) -> T | UnknownVariant:
    """Read a union by its discriminator, the field `tag`."""
    if not isinstance(value, dict):
        return cast("T", value)
    name = value.get(tag)
    read = variants.get(name) if isinstance(name, str) else None
    return read(value) if read else UnknownVariant(value)


def untagged(
    variants: Sequence[type[Model]], others: Sequence[Callable[[Any], Any]], value: Any
) -> Any:
    """Read a union of objects as the variant with all required and most other fields present.

    If no variant matches, the first of `others` that converts the value wins.
    """
    best = _best(variants, value) if isinstance(value, dict) else None
    for read in [best.read] if best else others:
        made = read(value)
        if made is not value:
            return made
    return UnknownVariant(value) if isinstance(value, dict) else value


def _best(variants: Sequence[type[Model]], value: dict[str, Any]) -> type[Model] | None:
    best, most = None, -1
    for variant in variants:
        names = {variant._names.get(f.name, f.name): f for f in fields(variant)}
        names.pop("_wire")
        required = {wire for wire, f in names.items() if f.default is MISSING}
        score = len(names.keys() & value.keys())
        if required <= value.keys() and score > most:
            best, most = variant, score
    return best
