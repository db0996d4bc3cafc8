"""Parses the times of events."""

from __future__ import annotations

import datetime as dt
import re

from .._core.scalars import parse_date_time

# Parsing checks the calendar. Leap seconds are refused, because not every language has them.
_RFC3339 = re.compile(
    r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?"
    r"(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII | re.IGNORECASE,
)


def is_time(text: str) -> bool:
    """Return whether a text has the form of an RFC 3339 time with an offset."""
    # The usual form needs no pattern. Python parses what is between its separators strictly, but
    # newer versions accept midnight as hour 24.
    if len(text) == 20 and text[4::3] == "--T::Z" and text[11:13] != "24":
        return True
    return _RFC3339.fullmatch(text) is not None


def instant_of(text: str) -> dt.datetime | None:
    """Parse an RFC 3339 time with an offset. Returns None for anything else."""
    time: object = parse_date_time(text) if is_time(text) else None
    return time if isinstance(time, dt.datetime) else None
