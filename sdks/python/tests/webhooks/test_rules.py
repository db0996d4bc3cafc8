"""Every vector that all SDKs share."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any, get_args

import pytest

from support_chat._generated.policy import WEBHOOKS_HINTS
from support_chat.webhooks import Event, WebhookFailure
from webhooks.deliveries import code_of, refusal_of
from webhooks.vectors import VECTORS, body_of, name_of, verifier_of

REFUSED = [vector for vector in VECTORS if vector["result"] not in ("ok", "missing_secret")]
CODES: list[str] = [*WEBHOOKS_HINTS]


each_vector = pytest.mark.parametrize("vector", VECTORS, ids=name_of)


def unwrap(vector: dict[str, Any]) -> Event:
    return verifier_of(vector).unwrap(body_of(vector), vector["headers"])


def verify(vector: dict[str, Any]) -> None:
    verifier_of(vector).verify(body_of(vector), vector["headers"])


@each_vector
def test_unwrap_keeps_to_the_rule(vector: dict[str, Any]) -> None:
    assert code_of(unwrap, vector) == vector["result"]
    if vector["result"] == "ok":
        event = unwrap(vector)
        assert event.to_dict() == json.loads(body_of(vector))
        assert isinstance(event.occurred_at, dt.datetime)


@each_vector
def test_verify_looks_at_the_signature_alone(vector: dict[str, Any]) -> None:
    of_signature = CODES[: CODES.index("signature_mismatch") + 1]
    expected = vector["result"] if vector["result"] in of_signature else "ok"
    assert code_of(verify, vector) == expected


@pytest.mark.parametrize("vector", REFUSED, ids=name_of)
def test_the_hint_reads_as_in_every_language(vector: dict[str, Any]) -> None:
    assert refusal_of(unwrap, vector).hint == vector["hint"]


@pytest.mark.parametrize("vector", REFUSED, ids=name_of)
def test_a_refusal_shows_neither_a_digest_nor_a_secret_nor_the_body(vector: dict[str, Any]) -> None:
    error = refusal_of(unwrap, vector)
    texts = f"{error} {error!r} {error.hint} {error.args} {error.__dict__} {error.__cause__}"
    values = [value[-20:] for name, value in vector["headers"] if "signature" in name.lower()]
    hidden = [*vector["secrets"], *(value for value in values if len(value) == 20)]
    assert [text for text in [*hidden, "conv_01J2Z8M3VN"] if text in texts] == []


def test_the_vectors_reach_every_code_that_bytes_can_have() -> None:
    results = {vector["result"] for vector in VECTORS}
    assert results == set(CODES) - {"body_already_parsed"} | {"ok"}


def test_every_code_has_a_hint_in_the_order_of_the_checks() -> None:
    assert tuple(CODES) == get_args(WebhookFailure)
