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
    if value.__class__ is not str:
        return cast("dt.datetime", value)
    # The usual forms, in seconds and milliseconds, need no pattern. Python parses what is between
    # their separators strictly, but newer versions accept midnight as hour 24.
    size = len(value)
    is_usual = (
        (size == 20 and value[4::3] == "--T::Z")
        or (
            size == 24
            and value[4:20:3] == "--T::."
            and value[20:23].isdigit()
            and value.isascii()
            and value[23] == "Z"
        )
    ) and "T24" not in value
    if not is_usual and not _RFC3339.fullmatch(value):
        return cast("dt.datetime", value)
    try:
        return _parse(value)
    except ValueError:
        return _parse_unusual(value) or cast("dt.datetime", value)


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
