"""The value for absent fields, as opposed to null."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal, TypeVar

T = TypeVar("T")


class Unset(Enum):
    """The type of `UNSET`, which stands for an omitted argument or an absent field."""

    UNSET = "UNSET"

    def __bool__(self) -> Literal[False]:
        """Return False, as None does."""
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
"""Stands for an absent value where None means null."""


def given(value: T | None) -> T | Unset:
    """Return the value of an argument, or UNSET for None."""
    return UNSET if value is None else value
