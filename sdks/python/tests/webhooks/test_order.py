"""A delivery with several faults is refused for the first of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from support_chat.webhooks import Webhooks
from webhooks.deliveries import ENVELOPE, SECRET, refusal_of, signed, written


class Parts:
    """All that a delivery is made of, so that faults can be laid one upon another."""

    def __init__(self) -> None:
        self.envelope = dict(ENVELOPE)
        self.end = b""
        self.signature: Callable[[bytes], str | None] = signed
        self.events = [ENVELOPE["event"]]
        self.body: Callable[[bytes], Any] = bytes
        self.options: dict[str, Any] = {"now": lambda: 0}


def change(**parts: Any) -> Callable[[Parts], None]:
    return lambda delivery: delivery.__dict__.update(parts)


# In the order in which they are checked; a later fault leaves room for every earlier one.
FAULTS: dict[str, Callable[[Parts], object]] = {
    "payload_too_large": lambda parts: parts.options.update(max_body_bytes=10),
    "body_already_parsed": change(body=lambda _: ENVELOPE),
    "missing_signature": change(signature=lambda _: None),
    "duplicate_header": lambda parts: parts.events.append(ENVELOPE["event"]),
    "malformed_signature": change(signature=lambda _: "sha256=no"),
    "unsupported_algorithm": change(signature=lambda _: "sha1=00"),
    "signature_mismatch": change(signature=lambda body: signed(body, "another")),
    "invalid_encoding": lambda parts: change(end=parts.end + b"\xff")(parts),
    "invalid_json": lambda parts: change(end=parts.end + b"]")(parts),
    "invalid_envelope": lambda parts: parts.envelope.pop("id"),
    "event_mismatch": lambda parts: parts.events.__setitem__(0, "another"),
    "stale_event": lambda parts: parts.options.update(tolerance=60),
}

# Two that cannot meet in one delivery.
APART = {
    ("payload_too_large", "body_already_parsed"),
    ("malformed_signature", "unsupported_algorithm"),
}
PAIRS = [pair for pair in combinations(FAULTS, 2) if pair not in APART]


def code_with(*faults: str) -> str:
    parts = Parts()
    # The earlier fault is laid on last, so that it wins where both touch the same part.
    for fault in reversed(faults):
        FAULTS[fault](parts)
    body = written(parts.envelope) + parts.end
    headers = {"x-service-signature": parts.signature(body), "x-service-event": parts.events}
    webhooks = Webhooks(SECRET, **parts.options)
    return refusal_of(webhooks.unwrap, parts.body(body), headers).code


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_alone(fault: str) -> None:
    assert code_with(fault) == fault


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_first_of_two_faults_is_found(first: str, second: str) -> None:
    assert code_with(first, second) == first
