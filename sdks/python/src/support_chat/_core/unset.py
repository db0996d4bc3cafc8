"""The mark of what is absent, as opposed to null."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal


class Unset(Enum):
    """The type of `UNSET`: an argument that is left out, or a field that is absent."""

    UNSET = "UNSET"

    def __bool__(self) -> Literal[False]:
        """Like None, what is absent is false."""
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
"""Stands for what is absent where None means null."""
