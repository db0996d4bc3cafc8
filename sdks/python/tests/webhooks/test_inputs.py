"""What may be handed over, in every form that frameworks have, and what may not."""

from __future__ import annotations

import array
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from typing import Any

import httpx2
import pytest

from support_chat import SupportChatError
from support_chat.webhooks import Webhooks
from webhooks.deliveries import (
    BODY,
    ENVELOPE,
    HEADERS,
    OCCURRED_AT,
    SECRET,
    SIGNATURE,
    code_of,
    refusal_of,
    signed,
)

PAIRS = [("content-type", "application/json"), *HEADERS.items()]


class Text(str):
    __slots__ = ()


class Hostile:
    """Raises whatever is done with it."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("hostile")

    def __str__(self) -> str:
        raise RuntimeError("hostile")

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("hostile")


def message(pairs: list[tuple[str, str]]) -> Message:
    made = Message()
    for name, value in pairs:
        made.add_header(name, value)
    return made


@pytest.mark.parametrize(
    "body",
    [
        BODY,
        bytearray(BODY),
        memoryview(BODY),
        memoryview(b"--" + BODY + b"--")[2:-2],
        memoryview(BODY[::-1])[::-1],
        array.array("b", BODY),
        BODY.decode(),
        Text(BODY.decode()),
    ],
    ids=lambda body: type(body).__name__,
)
def test_reads_a_body(body: Any) -> None:
    webhooks = Webhooks(SECRET, max_body_bytes=len(BODY))
    assert webhooks.unwrap(body, HEADERS).to_dict() == ENVELOPE
    assert Webhooks.sign(body, SECRET) == SIGNATURE
    smaller = Webhooks(SECRET, max_body_bytes=len(BODY) - 1)
    assert refusal_of(smaller.verify, body, HEADERS).code == "payload_too_large"


@pytest.mark.parametrize(
    "body",
    [ENVELOPE, None, 7, [*BODY], object(), iter([BODY]), bytes],
    ids=lambda body: type(body).__name__,
)
def test_refuses_what_is_no_body(body: Any) -> None:
    webhooks = Webhooks(SECRET)
    for call in (webhooks.unwrap, webhooks.verify):
        assert refusal_of(call, body, HEADERS).code == "body_already_parsed"
    assert refusal_of(Webhooks.sign, body, SECRET).code == "body_already_parsed"


def test_text_that_is_not_unicode_is_signed_by_nobody() -> None:
    assert code_of(Webhooks(SECRET).verify, "\ud800", HEADERS) == "signature_mismatch"
    assert code_of(Webhooks("\ud800").verify, BODY, HEADERS) == "signature_mismatch"


@pytest.mark.parametrize(
    "headers",
    [
        HEADERS,
        {"X-Service-Signature": [SIGNATURE], "X-Service-Event": (ENVELOPE["event"],)},
        {**HEADERS, "X-SERVICE-SIGNATURE": None},
        {name.encode(): value.encode() for name, value in PAIRS},
        PAIRS,
        iter(PAIRS),
        [(name.encode(), value.encode()) for name, value in PAIRS],
        message(PAIRS),
        httpx2.Headers(PAIRS),
    ],
    ids=lambda headers: type(headers).__name__,
)
def test_reads_headers(headers: Any) -> None:
    assert Webhooks(SECRET).unwrap(BODY, headers).to_dict() == ENVELOPE


def test_type_checkers_accept_the_headers_of_frameworks() -> None:
    text: dict[str, str] = HEADERS
    lists: dict[str, list[str]] = {name: [value] for name, value in HEADERS.items()}
    asgi: list[tuple[bytes, bytes]] = [(name.encode(), value.encode()) for name, value in PAIRS]
    verify = Webhooks(SECRET).verify
    verify(BODY, text)
    verify(BODY, lists)
    verify(BODY, asgi)
    verify(BODY, message(PAIRS))
    verify(BODY, httpx2.Headers(PAIRS))
    verify(BODY, iter(PAIRS))


@pytest.mark.parametrize(
    "headers",
    [
        {"x-service-signature": [SIGNATURE, SIGNATURE]},
        {"x-service-signature": SIGNATURE, "X-Service-Signature": SIGNATURE},
        {**HEADERS, "X-Service-Event": ENVELOPE["event"]},
        PAIRS + PAIRS,
        message(PAIRS + PAIRS),
        httpx2.Headers(PAIRS + PAIRS),
    ],
    ids=lambda headers: type(headers).__name__,
)
def test_finds_a_repeated_header(headers: Any) -> None:
    error = refusal_of(Webhooks(SECRET).unwrap, BODY, headers)
    assert error.code == "duplicate_header"


@pytest.mark.parametrize(
    "headers",
    [
        None,
        SIGNATURE,
        7,
        {},
        [],
        {"x-service-signature": []},
        {"x-service-signature": None},
        [()],
        ["x-service-signature", SIGNATURE],
        [("x-service-signature", SIGNATURE), None],
        {"x-service-signature": Hostile()},
        {Hostile: SIGNATURE},
    ],
    ids=lambda headers: type(headers).__name__,
)
def test_finds_no_signature_in_what_holds_none(headers: Any) -> None:
    error = refusal_of(Webhooks(SECRET).unwrap, BODY, headers)
    assert error.code == "missing_signature"


def test_an_object_that_always_raises_is_neither_body_nor_headers() -> None:
    hostile: Any = Hostile()
    webhooks = Webhooks(SECRET)
    assert refusal_of(webhooks.unwrap, hostile, HEADERS).code == "body_already_parsed"
    assert refusal_of(webhooks.unwrap, BODY, hostile).code == "missing_signature"
    assert refusal_of(Webhooks.sign, hostile, SECRET).code == "body_already_parsed"


@pytest.mark.parametrize("value", [7, {}, [], True])
def test_an_event_header_that_is_no_text_never_passes(value: Any) -> None:
    headers: Any = {**HEADERS, "x-service-event": [value]}
    assert refusal_of(Webhooks(SECRET).unwrap, BODY, headers).code == "event_mismatch"


@pytest.mark.parametrize("secrets", [None, [None], 7, [7], [[SECRET]], SECRET.encode(), {}])
def test_a_secret_that_is_no_text_is_a_missing_one(secrets: Any) -> None:
    assert refusal_of(Webhooks, secrets).code == "missing_secret"
    assert refusal_of(Webhooks.sign, BODY, secrets).code == "missing_secret"


@pytest.mark.parametrize(
    "options",
    [
        {"tolerance": -1},
        {"tolerance": float("nan")},
        {"tolerance": "300"},
        {"max_body_bytes": -1},
        {"max_body_bytes": None},
    ],
    ids=str,
)
def test_an_option_that_means_nothing_is_refused_at_construction(options: Any) -> None:
    with pytest.raises(SupportChatError, match="must be 0 or more"):
        Webhooks(SECRET, **options)


def test_the_clock_is_that_of_the_machine_by_default() -> None:
    age = time.time() - OCCURRED_AT
    assert Webhooks(SECRET, tolerance=abs(age) + 60).unwrap(BODY, HEADERS).id == ENVELOPE["id"]
    fresh = Webhooks(SECRET, tolerance=abs(age) - 60)
    assert refusal_of(fresh.unwrap, BODY, HEADERS).code == "stale_event"


def test_a_clock_that_tells_no_time_makes_every_event_stale() -> None:
    webhooks = Webhooks(SECRET, tolerance=60, now=lambda: float("nan"))
    assert refusal_of(webhooks.unwrap, BODY, HEADERS).code == "stale_event"


def test_spaces_and_tabs_in_any_number_cost_no_more_than_linear_time() -> None:
    headers = {"x-service-signature": "a" + " \t" * 1_000_000 + "b"}
    assert refusal_of(Webhooks(SECRET).unwrap, b"{}", headers).code == "malformed_signature"


@pytest.mark.parametrize("size", [1, 32, 63, 64, 65, 128, 1_000])
def test_a_signature_is_that_of_hmac_for_secrets_and_bodies_of_any_size(size: int) -> None:
    secret = "é".ljust(size, "k")
    for body in (b"", b"{}", BODY, BODY * size):
        assert Webhooks.sign(body, secret) == signed(body, secret)
        headers = {"x-service-signature": signed(body, secret)}
        assert code_of(Webhooks(secret, max_body_bytes=10**6).verify, body, headers) == "ok"


def test_a_verifier_shows_no_secret() -> None:
    webhooks = Webhooks(SECRET)
    assert SECRET not in repr(webhooks) + str(webhooks)
    assert not hasattr(webhooks, "__dict__")


def test_a_verifier_is_used_by_many_threads_at_once() -> None:
    webhooks = Webhooks(["another", SECRET])
    bodies = [BODY + b" " * spaces for spaces in range(400)]
    signatures = [{"x-service-signature": signed(body)} for body in bodies]
    with ThreadPoolExecutor(8) as threads:
        events = list(threads.map(webhooks.unwrap, bodies, signatures))
    assert [event.id for event in events] == [ENVELOPE["id"]] * 400


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_time_at_the_edge_of_the_calendar_is_only_stale(time: str) -> None:
    body = BODY.replace(ENVELOPE["occurred_at"].encode(), time.encode())
    headers = {"x-service-signature": signed(body)}
    assert Webhooks(SECRET).unwrap(body, headers).id == ENVELOPE["id"]
    assert refusal_of(Webhooks(SECRET, tolerance=60).unwrap, body, headers).code == "stale_event"


def test_a_number_of_more_digits_than_python_reads_is_accepted() -> None:
    body = BODY.replace(b'"data": {', b'"data": {"digits": ' + b"9" * 5_000 + b", ")
    event = Webhooks(SECRET).unwrap(body, {"x-service-signature": signed(body)})
    assert event.id == ENVELOPE["id"]
