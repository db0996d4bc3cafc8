"""Builds events for tests from samples."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from .._core.model import json_of
from .._generated.names import BaseError
from ._event import Event, read_event

Overrides: TypeAlias = Mapping[str, Any] | None
"""Changes to a sample, merged deeply into the whole envelope. A list replaces a list."""


def fake_body(samples: Mapping[str, str], kind: str, overrides: Overrides) -> bytes:
    """Return an event in JSON. Equal calls return equal bytes.

    Raises the base error for an unknown kind, and for overrides that JSON cannot hold.
    """
    sample = samples.get(kind)
    if sample is None:
        raise BaseError(f"No sample of this kind. Kinds: {', '.join(samples)}.")
    envelope = merged(json.loads(sample), json_of(overrides or {}))
    try:
        text = json.dumps(envelope, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()
    except (TypeError, ValueError) as error:
        raise BaseError(f"The overrides cannot be written as JSON: {error}") from None


def make_event(samples: Mapping[str, str], kind: str, overrides: Overrides) -> Event:
    """Return an event like those that `unwrap` returns."""
    return read_event(json.loads(fake_body(samples, kind, overrides)))


def merged(sample: Any, change: Any) -> Any:
    if not isinstance(sample, dict) or not isinstance(change, dict):
        return change
    return {**sample, **{key: merged(sample.get(key), value) for key, value in change.items()}}
