"""Values that JSON has only text for."""

from __future__ import annotations

import datetime as dt
import re
import sys
from typing import Any, cast

from .._generated.names import BaseError

if sys.version_info >= (3, 11):

    def _parse(text: str) -> dt.datetime:
        """Read what Python does not: "z"."""
        return dt.datetime.fromisoformat(f"{text[:-1]}Z" if text[-1:] == "z" else text)

else:
    _FRACTION = re.compile(r"\.(\d+)")

    def _parse(text: str) -> dt.datetime:
        """Read what Python 3.10 does not: "Z", and a fraction of any length."""
        fraction = _FRACTION.sub(lambda match: f".{match[1]:0<6.6}", text)
        return dt.datetime.fromisoformat(re.sub(r"[Zz]$", "+00:00", fraction))


def parse_date_time(value: Any) -> dt.datetime:
    """Read a time with an offset; anything else is left as it came."""
    try:
        time = _parse(value) if isinstance(value, str) else None
    except ValueError:
        time = None
    return time if time and time.tzinfo else cast("dt.datetime", value)


def parse_date(value: Any) -> dt.date:
    """Read a date; anything else is left as it came."""
    try:
        return dt.date.fromisoformat(value)
    except (TypeError, ValueError):
        return cast("dt.date", value)


def write_date_time(value: dt.datetime) -> str:
    """Write a time as RFC 3339 has it.

    Raises the base error for a time without an offset, which could be meant anywhere.
    """
    if value.tzinfo is None:
        raise BaseError("A time needs an offset, like datetime.now(timezone.utc).")
    text = value.isoformat()
    return f"{text[:-6]}Z" if text.endswith("+00:00") else text
