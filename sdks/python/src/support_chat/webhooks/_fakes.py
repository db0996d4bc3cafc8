"""Events to test with, made of samples."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from .._core.model import json_of
from .._generated.names import BaseError
from ._event import Event, read_event

Overrides: TypeAlias = Mapping[str, Any] | None
"""What to change of a sample: merged into the whole envelope, where lists are replaced whole."""


def fake_body(samples: Mapping[str, str], kind: str, overrides: Overrides) -> bytes:
    """Write an event as JSON; equal calls give equal bytes.

    Raises the base error for an unknown kind, and for overrides that are no JSON.
    """
    sample = samples.get(kind)
    if sample is None:
        raise BaseError(f"There is no sample of this kind, only of {', '.join(samples)}.")
    envelope = _merged(json.loads(sample), json_of(overrides or {}))
    try:
        text = json.dumps(envelope, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()
    except (TypeError, ValueError) as error:
        raise BaseError(f"The overrides are no JSON: {error}") from None


def make_event(samples: Mapping[str, str], kind: str, overrides: Overrides) -> Event:
    """Make an event as it would be received."""
    return read_event(json.loads(fake_body(samples, kind, overrides)))


def _merged(sample: Any, change: Any) -> Any:
    if not isinstance(sample, dict) or not isinstance(change, dict):
        return change
    return {**sample, **{key: _merged(sample.get(key), value) for key, value in change.items()}}
