"""Converts dates and times, which JSON holds as text."""

from __future__ import annotations

import datetime as dt
import re
import sys
from typing import Any, cast

from .._generated.names import BaseError

# The grammar of RFC 3339. Parsing checks the calendar. Leap seconds are refused, because not every
# language has them.
_RFC3339 = re.compile(
    r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?"
    r"(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII | re.IGNORECASE,
)
_FRACTION = re.compile(r"\.(\d+)")

if sys.version_info >= (3, 11):
    _parse = dt.datetime.fromisoformat
else:

    def _parse(text: str) -> dt.datetime:
        """Parse a time, including the "Z" that Python 3.10 rejects."""
        return dt.datetime.fromisoformat(f"{text[:-1]}+00:00" if text[-1:] == "Z" else text)


def parse_date_time(value: Any) -> dt.datetime:
    """Parse a time as in RFC 3339. Returns anything else unchanged."""
    time = None
    if isinstance(value, str) and _is_time(value):
        try:
            time = _parse(value)
        except ValueError:
            time = _parse_unusual(value)
    return cast("dt.datetime", value) if time is None else time


def _is_time(text: str) -> bool:
    # The usual form needs no pattern. Python parses what is between its separators strictly, but
    # newer versions accept midnight as hour 24.
    if len(text) == 20 and text[4::3] == "--T::Z" and text[11:13] != "24":
        return True
    return _RFC3339.fullmatch(text) is not None


def _parse_unusual(text: str) -> dt.datetime | None:
    """Parse a time with a "z", which Python rejects, or with a fraction that Python 3.10 rejects."""
    fraction = _FRACTION.sub(lambda match: f".{match[1]:0<6.6}", text)
    try:
        return dt.datetime.fromisoformat(re.sub(r"[Zz]$", "+00:00", fraction))
    except ValueError:
        return None


def write_date_time(value: dt.datetime) -> str:
    """Format a time as in RFC 3339.

    Raises the base error for a time without an offset, which is ambiguous.
    """
    if value.tzinfo is None:
        raise BaseError("A time needs an offset, like datetime.now(timezone.utc).")
    text = value.isoformat()
    return f"{text[:-6]}Z" if text.endswith("+00:00") else text
