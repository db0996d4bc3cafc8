"""Reads dates, which JSON holds as text."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast


def parse_date(value: Any) -> dt.date:
    """Parse a date. Returns anything else unchanged."""
    try:
        return dt.date.fromisoformat(value)
    except (TypeError, ValueError):
        return cast("dt.date", value)
