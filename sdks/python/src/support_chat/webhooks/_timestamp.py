"""Times of events."""

from __future__ import annotations

import datetime as dt
import re

from .._core.scalars import parse_date_time

# The calendar is checked where the time is read. No leap seconds: not every language has them.
_RFC3339 = re.compile(
    r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?"
    r"(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII | re.IGNORECASE,
)


def instant_of(text: str) -> dt.datetime | None:
    """Read a time of RFC 3339, with an offset, on a day that the calendar has; else None."""
    time: object = parse_date_time(text) if _RFC3339.fullmatch(text) else None
    return time if isinstance(time, dt.datetime) else None
