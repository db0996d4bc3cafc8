"""Converts dates and times, which JSON holds as text."""

from __future__ import annotations

import datetime as dt
import re
import sys
from typing import Any, cast

from .._generated.names import BaseError

if sys.version_info >= (3, 11):

    def _parse(text: str) -> dt.datetime:
        """Parse a time, including the "z" that Python rejects."""
        return dt.datetime.fromisoformat(f"{text[:-1]}Z" if text[-1:] == "z" else text)

else:
    _FRACTION = re.compile(r"\.(\d+)")

    def _parse(text: str) -> dt.datetime:
        """Parse a time, including the "Z" and the long fractions that Python 3.10 rejects."""
        fraction = _FRACTION.sub(lambda match: f".{match[1]:0<6.6}", text)
        return dt.datetime.fromisoformat(re.sub(r"[Zz]$", "+00:00", fraction))


def parse_date_time(value: Any) -> dt.datetime:
    """Parse a time with an offset. Returns anything else unchanged."""
    try:
        time = _parse(value) if isinstance(value, str) else None
    except ValueError:
        time = None
    return time if time and time.tzinfo else cast("dt.datetime", value)


def parse_date(value: Any) -> dt.date:
    """Parse a date. Returns anything else unchanged."""
    try:
        return dt.date.fromisoformat(value)
    except (TypeError, ValueError):
        return cast("dt.date", value)


def write_date_time(value: dt.datetime) -> str:
    """Format a time as in RFC 3339.

    Raises the base error for a time without an offset, which is ambiguous.
    """
    if value.tzinfo is None:
        raise BaseError("A time needs an offset, like datetime.now(timezone.utc).")
    text = value.isoformat()
    return f"{text[:-6]}Z" if text.endswith("+00:00") else text
