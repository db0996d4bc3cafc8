"""No input raises anything but the typed error: a second of inputs, the same in every run."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from support_chat.webhooks import Webhooks
from webhooks.deliveries import BODY, ENVELOPE, SECRET, code_of, signed

HALF_A_SECOND = 0.5
NAMES = ["x-service-signature", "X-Service-Signature", "x-service-event", b"x-service-event", "", 7]
PIECES = ["sha256=", "sha1=", "=", ",", " ", "\t", "\n", "0" * 64, "A" * 43, "é", "\ud800", "\0"]
TOKENS = [*'{}[]",:0-.eE \\u', "null", "NaN", "1e999", '"id"', '"event"', '"data"', "\x00", "é"]


def rounds() -> Iterator[random.Random]:
    chance = random.Random(5)
    end = time.monotonic() + HALF_A_SECOND
    while time.monotonic() < end:
        yield chance


def any_value(chance: random.Random, depth: int = 3) -> Any:
    scalars: list[Callable[[], Any]] = [
        lambda: None,
        lambda: chance.choice([True, 0, -1, 7.5, float("nan"), object(), random, str]),
        lambda: chance.randbytes(chance.randrange(80)),
        lambda: "".join(chance.choices(PIECES, k=chance.randrange(4))),
        lambda: memoryview(chance.randbytes(8)),
    ]
    nested: list[Callable[[], Any]] = [
        lambda: [any_value(chance, depth - 1) for _ in range(chance.randrange(3))],
        lambda: tuple(any_value(chance, depth - 1) for _ in range(2)),
        lambda: {name: any_value(chance, depth - 1) for name in chance.sample(NAMES, 3)},
        lambda: [(name, any_value(chance, depth - 1)) for name in chance.choices(NAMES, k=3)],
    ]
    return chance.choice(scalars + (nested if depth else []))()


def any_body(chance: random.Random) -> bytes:
    """Bytes that come close to an envelope."""
    body = bytearray(BODY)
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(body))
        body[at : at + chance.randrange(3)] = chance.choice(
            [chance.randbytes(1), chance.choice(TOKENS).encode()]
        )
    return bytes(body)


def test_nothing_that_is_passed_raises_anything_but_the_typed_error() -> None:
    webhooks = Webhooks(SECRET, tolerance=60)
    seen = set()
    for chance in rounds():
        body, headers = any_value(chance), any_value(chance)
        seen.add(code_of(webhooks.unwrap, body, headers))
        code_of(Webhooks.sign, body, SECRET)
    assert "ok" not in seen
    assert {"body_already_parsed", "missing_signature", "malformed_signature"} <= seen


def test_nothing_that_is_signed_raises_anything_but_the_typed_error() -> None:
    webhooks = Webhooks(SECRET)
    seen = set()
    for chance in rounds():
        body = any_body(chance)
        headers = {"x-service-signature": signed(body)}
        code = code_of(webhooks.unwrap, body, headers)
        if code == "ok":
            assert webhooks.unwrap(body, headers).to_dict() == json.loads(body)
        seen.add(code)
    assert seen == {"ok", "invalid_encoding", "invalid_json", "invalid_envelope"}


def test_a_body_with_any_byte_changed_is_refused() -> None:
    webhooks = Webhooks(SECRET)
    headers = {"x-service-signature": signed(BODY), "x-service-event": ENVELOPE["event"]}
    for at in range(len(BODY)):
        body = BODY[:at] + bytes([BODY[at] ^ 1]) + BODY[at + 1 :]
        assert code_of(webhooks.verify, body, headers) == "signature_mismatch"
