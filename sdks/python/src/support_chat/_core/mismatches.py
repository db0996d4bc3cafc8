"""What a hook gets where a response does not match the contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """A field of a response that does not match the contract."""

    model: str
    """The name of the class."""
    field: str
    """The name of the field in JSON."""
    problem: Literal["missing", "null", "unreadable"]
    """What is wrong: a required field is missing, a field that must not be null is, or a value has
    another type."""
    unknown: list[str]
    """The members of the same object that this version does not know."""
    method: str
    """The HTTP method, in capitals."""
    template: str
    """The path with placeholders, the same for all calls of an operation."""
    request_id: str | None
    """Identifies the request in the service's logs."""


MismatchHook: TypeAlias = Callable[[Mismatch], object]
"""A function that gets every mismatch. One that raises changes nothing."""
