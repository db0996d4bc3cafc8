"""Events as objects."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, TypeAlias

from .._core.model import Model, model
from .._core.scalars import parse_date_time
from .._generated.events import READERS, KnownEvent


@model
class UnknownEvent(Model):
    """An event of a kind that is newer than this package, as it came."""

    event: str
    """The kind."""
    id: str
    """Identifies the event. A repeated delivery carries the same identifier."""
    occurred_at: dt.datetime
    """When it happened."""
    data: dict[str, Any]
    """The data as JSON."""

    @staticmethod
    def _fill(draft: Any, data: Mapping[str, Any]) -> None:
        draft.event = data.get("event")
        draft.id = data.get("id")
        draft.occurred_at = parse_date_time(data.get("occurred_at"))
        draft.data = data.get("data")


Event: TypeAlias = KnownEvent | UnknownEvent
"""What a delivery holds. Its class tells the kinds apart, with `data` typed accordingly."""


def read_event(value: dict[str, Any]) -> Event:
    """Make the event of an envelope. No field of its data can make that fail."""
    return READERS.get(str(value["event"]), UnknownEvent.read)(value)
