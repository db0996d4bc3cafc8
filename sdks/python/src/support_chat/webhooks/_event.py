"""Events as typed objects."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from .._core.model import Model, as_object, model
from .._core.scalars import parse_date_time
from .._generated.events import READERS, KnownEvent


@model
class UnknownEvent(Model):
    """An event of a kind that is newer than this package."""

    event: str
    """The event kind."""
    id: str
    """Identifies the event. Every delivery of the event carries the same id."""
    occurred_at: dt.datetime
    """The time of the event."""
    data: dict[str, Any]
    """The data as parsed JSON."""

    @staticmethod
    def _reader(new_draft: Callable[[], Any], cls: Any) -> Callable[[Any], Any]:
        def read(data: Any) -> Any:
            if data.__class__ is not dict:
                return as_object(read, data)
            draft = new_draft()
            draft._wire = data
            draft.event = data.get("event")
            draft.id = data.get("id")
            draft.occurred_at = parse_date_time(data.get("occurred_at"))
            draft.data = data.get("data")
            draft.__class__ = cls
            return draft

        return read


Event: TypeAlias = KnownEvent | UnknownEvent
"""The event of a delivery. Each kind has its class, with typed `data`."""


class _Readers(dict[str, Callable[[Any], Event]]):
    def __missing__(self, kind: str) -> Callable[[Any], Event]:
        return UnknownEvent.read


EVENT_READERS: Mapping[str, Callable[[Any], Event]] = _Readers(READERS)
"""The functions that read events, by kind."""


def read_event(value: dict[str, Any]) -> Event:
    """Return the event of an envelope. Never fails."""
    kind = value["event"]
    return EVENT_READERS[kind if kind.__class__ is str else ""](value)
