"""Reads objects of the API as immutable Python objects, and writes them back.

Reading accepts what a newer service may send. It keeps unknown values and unknown fields, leaves a
value of an unexpected type unchanged, and makes an absent field None (or UNSET where null has a
meaning). Writing returns what was read.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast
from warnings import warn

from .scalars import write_date_time
from .unset import UNSET

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
    from typing_extensions import deprecated as deprecated
else:

    def deprecated(text: str) -> Callable[[Any], Any]:
        """Mark a reader as deprecated. A call warns, as since Python 3.13."""

        def mark(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
            @wraps(read)
            def warning(self: Any) -> Any:
                warn(text, DeprecationWarning, stacklevel=2)
                return read(self)

            return warning

        return mark

    def dataclass_transform(**_: object) -> Callable[[Any], Any]:
        """Stand-in at run time, because only type checkers need it."""
        return lambda decorator: decorator


T = TypeVar("T")
Self = TypeVar("Self", bound="Model")  # typing has one since Python 3.11


class Beside:
    """What is remembered beside a value, where no serializer, comparison or copy sees it."""

    __slots__ = ("__weakref__", "_request_id")


def request_id_of(value: object) -> str | None:
    """Return the id of the request that returned an object, for the service's logs.

    Returns None for copies, for objects inside others, and for lists, maps and scalars, whose request
    id a raw response or a page has.
    """
    return getattr(value, "_request_id", None)


def remember_request_id(value: object, request_id: str | None) -> None:
    """Remember the id of the request that returned a value, where it has a place for it."""
    if isinstance(value, Beside):
        object.__setattr__(value, "_request_id", request_id)


@dataclass(frozen=True, kw_only=True)
class Model(Beside):
    """An object of the API."""

    __slots__ = ("_wire",)

    _names: ClassVar[Mapping[str, str]] = {}
    """The names in JSON of fields whose names differ."""

    @classmethod
    def from_dict(cls: type[Self], data: Mapping[str, Any]) -> Self:
        """Read an object from parsed JSON. Raises TypeError for anything else."""
        if isinstance(data, Mapping):
            return cls.read(data)
        raise TypeError(f"{cls.__name__} is made from an object, not from {type(data).__name__}")

    @classmethod
    def read(cls: type[Self], value: Any) -> Self:
        """Read a value from parsed JSON. Returns anything but an object unchanged."""
        if not isinstance(value, Mapping):
            return cast("Self", value)
        # Classes that the caller derives may have any layout. `model` has a faster way for its own.
        made = cls._reader(_Values, _Values)(dict(value)).become(cls)
        return cast("Self", made)

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        # The faster way of a base makes objects of that base.
        cls.read = Model.__dict__["read"]  # type: ignore[method-assign]  # still a classmethod

    @staticmethod
    def _reader(new_draft: Callable[[], Any], cls: Any) -> Callable[[Any], Any]:
        """Return a function that reads objects of a class.

        An object is filled as a draft, which then changes its class. Setting the fields of a frozen
        dataclass takes twice as long as the rest of the reading. Each class of the contract has a
        function of its own, because calls are the next largest part.
        """

        def read(data: Any) -> Any:
            if data.__class__ is not dict:
                return as_object(read, data)
            draft = new_draft()
            draft._wire = data
            draft.__class__ = cls
            return draft

        return read

    @property
    def extra(self) -> dict[str, Any]:
        """The fields that this version does not know, as parsed JSON."""
        known = {wire for _, wire in _described(self)}
        return {name: value for name, value in wire_of(self).items() if name not in known}

    def to_dict(self) -> dict[str, Any]:
        """Return the object as JSON data, with unknown fields and without absent ones.

        Fields that were read and not changed are returned exactly as they were received.
        """
        wire = getattr(self, "_wire", None)
        data: dict[str, Any] = json_of(wire or {})
        read = None if wire is None else type(self).read(wire)
        for described, name in _described(self):
            value = getattr(self, described.name)
            if read is not None and value == getattr(read, described.name):
                continue
            if value is UNSET or (value is None and not self._may_be_null(described.name)):
                data.pop(name, None)
            else:
                data[name] = json_of(value)
        return data

    @classmethod
    def _may_be_null(cls, name: str) -> bool:
        """Return whether None stands for null in a field, and not for an absent value."""
        from .hints import rules_of  # loads what only few programs need

        return rules_of(cls).by_name[name].is_nullable

    def __replace__(self: Self, **changes: Any) -> Self:
        """Support `copy.replace`, which keeps the fields that this version does not know."""
        made = type(self)(**{**_state_of(self), **changes})
        _restore_wire(made, getattr(self, "_wire", None))
        return made

    def __hash__(self) -> int:
        return hash((type(self), *map(_hashable, _state_of(self).values())))

    def __reduce__(self) -> tuple[Any, ...]:
        """Support copying and pickling, also of the fields that this version does not know."""
        extra = getattr(self, "__dict__", {})
        return _restore, (type(self), {**_state_of(self), **extra}, getattr(self, "_wire", None))


@dataclass_transform(frozen_default=True, kw_only_default=True)
def model(cls: type[T]) -> type[T]:
    """Turn a class into an immutable dataclass with slots and keyword arguments."""
    made = dataclass(frozen=True, slots=True, kw_only=True)(cls)
    # A dataclass brings its own, which need hashable fields and drop unknown ones.
    methods = {name: getattr(Model, name) for name in ("__hash__", "__reduce__", "__replace__")}
    contract = cast("type[Model]", made)
    methods["read"] = staticmethod(contract._reader(_draft_of(contract), contract))
    for name, method in methods.items():
        setattr(made, name, method)
    return made


_NOTHING: Mapping[str, Any] = {}


def as_object(read: Callable[[Any], Any], value: Any) -> Any:
    """Read a mapping of another type than `dict`. Returns anything else unchanged."""
    return read(dict(value)) if isinstance(value, Mapping) else value


def _draft_of(cls: type[Model]) -> Callable[[], Any]:
    """Return a class of the same layout whose fields can be set."""
    body = {
        "__slots__": cls.__dict__["__slots__"],
        "__init__": object.__init__,
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,
    }
    return type(cls.__name__, cls.__bases__, body)


class _Values:
    """The fields of an object of a class that the caller has derived."""

    def become(self, cls: type[Model]) -> Model:
        made = cls.__new__(cls)
        values = {**_defaults_of(cls), **self.__dict__}
        for name, value in values.items():
            object.__setattr__(made, name, value)
        return made


def _defaults_of(cls: type[Model]) -> dict[str, Any]:
    """Return the defaults of fields that no response has."""
    made = {one.name: one.default_factory() for one in fields(cls) if callable(one.default_factory)}
    plain = {one.name: None if one.default is MISSING else one.default for one in fields(cls)}
    return {**plain, **made}


def wire_of(value: Model) -> Mapping[str, Any]:
    """Return the JSON object that an object was read from."""
    wire: Mapping[str, Any] = getattr(value, "_wire", _NOTHING)
    return wire


def _state_of(value: Model) -> dict[str, Any]:
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _restore(cls: type[Model], state: Mapping[str, Any], wire: Mapping[str, Any] | None) -> Model:
    made = cls.__new__(cls)
    for name, value in state.items():
        object.__setattr__(made, name, value)
    _restore_wire(made, wire)
    return made


def _restore_wire(value: Model, wire: Mapping[str, Any] | None) -> None:
    if wire is not None:
        object.__setattr__(value, "_wire", wire)


def _hashable(value: object) -> object:
    """Return a value of equal hash for equal values, also of lists and maps."""
    if isinstance(value, list | tuple):
        return tuple(map(_hashable, value))
    if isinstance(value, Mapping):
        return frozenset((name, _hashable(item)) for name, item in value.items())
    return value


def _described(value: Model) -> Iterator[tuple[Field[Any], str]]:
    """Yield the fields of the contract with their names in JSON."""
    for described in fields(value):
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
    if isinstance(value, list | tuple):
        return [read(item) for item in value]
    return cast("list[T]", value)


def values(read: Callable[[Any], T], value: Any) -> dict[str, T]:
    """Read a map."""
    if isinstance(value, Mapping):
        return {name: read(item) for name, item in value.items()}
    return cast("dict[str, T]", value)


@dataclass(frozen=True, slots=True)
class UnknownVariant(Beside):
    """A value of a union that matches no variant that this version knows."""

    value: Any
    """The value as parsed JSON."""

    def to_dict(self) -> Any:
        """Return the value as it was received."""
        return self.value

    def __hash__(self) -> int:
        return hash(_hashable(self.value))


def tagged(tag: str, variants: Mapping[str, Callable[[Any], T]], value: Any) -> T | UnknownVariant:
    """Read a union by its discriminator, the field `tag`."""
    if not isinstance(value, Mapping):
        return cast("T", value)
    name = value.get(tag)
    read = variants.get(name) if isinstance(name, str) else None
    return read(value) if read else UnknownVariant(value)
