"""No input raises anything but the typed error: some seconds of inputs, or a million with --soak.

A seed makes the same inputs again, and hypothesis shows the least of those that fail.
"""

from __future__ import annotations

import datetime as dt
import io
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from support_chat._core.scalars import parse_date_time
from support_chat.webhooks import MemoryDedupeStore, Webhooks, WebhookVerificationError, asgi, wsgi
from support_chat.webhooks._event import read_event
from webhooks.deliveries import BODY, ENVELOPE, HEADERS, SECRET, code_of, signed, signed_as
from webhooks.reference import is_time, verdict
from webhooks.requests import ask_asgi, ask_wsgi, environ_of

SECONDS = 2.5
SOAK_INPUTS = 250_000
BATCH = 250

# The last batch, and making a failure as small as it gets, take longer than tests may otherwise.
pytestmark = pytest.mark.timeout(3_600)

TOKENS = [
    *'{}[]",:0-.eE \n\\u',
    "null",
    "NaN",
    "1e999",
    "9" * 5_000,
    '"id"',
    '"event"',
    '"data"',
    '"data": ' + "[" * 99 + "]" * 99 + ", ",
    '"data": ' + "[" * 100 + "]" * 100 + ", ",
    "{}, " * 101,
    "\\ud800",
    "\\ud83d\\ude00",
    "\x00",
    "é",
    "\ufeff",
]
NAMES = ["x-service-signature", "X-Service-Signature", "x-service-event", "", "content-length"]
VALUES = [
    *HEADERS.values(),
    "sha256=",
    "sha1=00",
    "sha256=" + "A" * 43,
    ",",
    " \t",
    "\n",
    "é",
    "\ud800",
]

texts = (
    st.sampled_from(VALUES) | st.lists(st.sampled_from(VALUES), max_size=3).map("".join) | st.text()
)
names = st.sampled_from(NAMES) | st.text(max_size=5)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | texts
    | st.binary(max_size=80)
    | st.sampled_from([object(), str, memoryview(BODY), bytearray(BODY)])
)
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(names | st.binary(max_size=5), inner, max_size=3)
        | st.lists(st.tuples(names, inner), max_size=3)
    ),
    max_leaves=8,
)

cuts = st.tuples(
    st.integers(0, len(BODY)),
    st.integers(0, 3),
    st.sampled_from(TOKENS).map(str.encode) | st.binary(max_size=2),
)


def with_cuts(changes: list[tuple[int, int, bytes]]) -> bytes:
    """The body with something else here and there."""
    body = BODY
    for at, size, instead in changes:
        body = body[:at] + instead + body[at + size :]
    return body


bodies = st.lists(cuts, max_size=3).map(with_cuts)
times = st.lists(
    st.tuples(
        st.integers(0, 20), st.integers(0, 2), st.sampled_from([*"0249-:TtZz.+ ,W\0", "+01:00"])
    ),
    max_size=2,
)


def with_time(changes: list[tuple[int, int, str]]) -> bytes:
    """The body with a time that is almost one."""
    time = ENVELOPE["occurred_at"]
    for at, size, instead in changes:
        time = time[:at] + instead + time[at + size :]
    return BODY.replace(ENVELOPE["occurred_at"].encode(), time.encode())


signatures: list[Callable[[bytes], str]] = [
    signed,
    lambda body: signed(body).replace("a", "A"),
    lambda body: signed(body).upper(),
    lambda body: f" {signed_as('base64', body)}\t",
    lambda body: signed_as("base64url", body).rstrip("="),
    lambda body: signed_as("base64", body).replace("+", "-"),
    lambda body: signed(body, "another"),
    lambda body: f"{signed(body)},",
    lambda body: signed(body)[:-1] + "g",
]
forms: list[Callable[[dict[str, Any]], Any]] = [
    dict,
    lambda headers: [*headers.items()],
    lambda headers: iter(headers.items()),
    lambda headers: {name.title(): [value] for name, value in headers.items()},
    lambda headers: [(name.encode(), value) for name, value in headers.items()],
    lambda headers: [(name, value, value) for name, value in headers.items()],
]


@pytest.fixture
def explore(request: pytest.FixtureRequest) -> Callable[[st.SearchStrategy[Any], Any], None]:
    """Check inputs for some seconds, or many of them."""
    is_soak = bool(request.config.getoption("--soak"))

    def run(inputs: st.SearchStrategy[Any], check: Callable[[Any], None]) -> None:
        end, count = time.monotonic() + SECONDS, 0
        limits = settings(
            max_examples=BATCH, deadline=None, database=None, suppress_health_check=[*HealthCheck]
        )
        while count < SOAK_INPUTS if is_soak else time.monotonic() < end:
            seed(count)(limits(given(inputs)(check)))()
            count += BATCH

    return run


def test_nothing_that_is_passed(explore: Any) -> None:
    webhooks = Webhooks(SECRET, tolerance=60)
    seen = set()

    def check(given: tuple[Any, Any]) -> None:
        body, headers = given
        seen.add(code_of(webhooks.unwrap, body, headers))
        code_of(Webhooks.sign, body, SECRET)

    headers = anything | st.dictionaries(names, texts, max_size=3)
    explore(st.tuples(anything | bodies, headers), check)
    assert {"body_already_parsed", "missing_signature", "malformed_signature"} <= seen
    assert "ok" not in seen


def test_nothing_that_is_signed(explore: Any) -> None:
    webhooks = Webhooks(SECRET)
    seen = set()

    def check(body: bytes) -> None:
        headers = {"x-service-signature": signed(body)}
        code = code_of(webhooks.unwrap, body, headers)
        if code == "ok":
            assert webhooks.unwrap(body, headers).to_dict() == json.loads(body)
        seen.add(code)

    explore(bodies, check)
    assert {"ok", "invalid_encoding", "invalid_json", "invalid_envelope"} == seen


def test_nothing_that_the_plain_rules_judge_otherwise(explore: Any) -> None:
    webhooks = Webhooks(SECRET)
    seen = set()

    def check(given: tuple[bytes, Callable[[bytes], str], list[tuple[str, str]], Any]) -> None:
        body, sign, others, form = given
        headers = [("x-service-signature", sign(body)), *others]
        # A mapping cannot repeat a name.
        repeats = len({name.lower() for name, _ in headers}) < len(headers)
        event, code = None, "ok"
        try:
            event = webhooks.unwrap(body, headers if repeats else form(dict(headers)))
        except WebhookVerificationError as error:
            code = error.code
        assert code == verdict(body, headers, SECRET)
        if event:
            assert event == read_event(json.loads(body, parse_int=as_number))
        seen.add(code)

    others = st.lists(st.tuples(names, st.sampled_from(VALUES)), max_size=2)
    kinds = [[], [("X-Service-Event", ENVELOPE["event"])], [("x-service-event", "conversation")]]
    explore(
        st.tuples(
            bodies | times.map(with_time),
            st.sampled_from(signatures[:1] * 9 + signatures),
            st.sampled_from(kinds) | others,
            st.sampled_from(forms[:-1]),
        ),
        check,
    )
    assert seen >= {"ok", "invalid_encoding", "invalid_json", "invalid_envelope", "event_mismatch"}
    assert seen >= {"malformed_signature", "signature_mismatch", "duplicate_header"}


@pytest.mark.parametrize("moment", ["2024-02-29T19:59:48Z", "2024-02-29T19:59:48.120Z"])
def test_no_time_with_a_character_changed_or_added_that_the_plain_rules_judge_otherwise(
    moment: str,
) -> None:
    for at in range(len(moment) + 1):
        for character in [*map(chr, range(128)), "٣", "²", "é", "Ｚ"]:
            for text in (
                moment[:at] + character + moment[at + 1 :],
                moment[:at] + character + moment[at:],
            ):
                assert isinstance(parse_date_time(text), dt.datetime) == is_time(text), repr(text)


def as_number(digits: str) -> float:
    return int(digits) if len(digits) < 4_000 else float(digits)


def test_nothing_in_headers_of_any_form(explore: Any) -> None:
    webhooks = Webhooks(SECRET)
    seen = set()

    def check(given: tuple[Any, Any, bool]) -> None:
        form, headers, keeps = given
        hostile = {**HEADERS, **headers} if keeps else headers
        try:
            shaped = form(hostile)
        except AttributeError:  # a name that is no text has no such form
            shaped = hostile
        seen.add(code_of(webhooks.unwrap, BODY, shaped))

    headers = st.dictionaries(names, texts | anything, max_size=3)
    explore(st.tuples(st.sampled_from(forms), headers, st.booleans()), check)
    codes = {"ok", "missing_signature", "duplicate_header", "malformed_signature", "event_mismatch"}
    assert codes | {"unsupported_algorithm"} <= seen


class Stream(io.BytesIO):
    """A stream that gives less at a time than it is asked for."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or 0, 7))


def test_nothing_that_a_receiver_gets(explore: Any) -> None:
    seen: set[int] = set()
    webhooks = Webhooks(SECRET)

    async def handle(_: object) -> None:
        """Do nothing."""

    options: Any = {"store": MemoryDedupeStore(), "on_error": id}
    in_wsgi = wsgi.webhook_app(webhooks, id, **options)
    in_asgi = asgi.webhook_app(webhooks, handle, **options)

    def check(given: tuple[bytes, dict[str, str], str, bool, int]) -> None:
        body, headers, length, is_signed, at = given
        if is_signed:
            headers = {**headers, "x-service-signature": signed(body)}
        environ = environ_of("POST", body, headers.items())
        environ |= {"wsgi.input": Stream(body), "wsgi.input_terminated": at % 2}
        if length:
            headers = {**headers, "content-length": length}
            environ |= {"CONTENT_LENGTH": length}
        pairs = [(utf8(name), utf8(value)) for name, value in headers.items()]
        scope = {"type": "http", "method": "POST", "headers": pairs}
        first = {"type": "http.request", "body": body[:at], "more_body": True}
        second = {"type": "http.request", "body": body[at:]}
        gone = {"type": "http.disconnect"}
        responses = [
            ask_wsgi(in_wsgi, environ),
            ask_asgi(in_asgi, scope, [first, second if at % 3 else gone]),
        ]
        for response in filter(None, responses):
            assert response.body == b""
            seen.add(response.status)

    headers = st.dictionaries(names, texts, max_size=3)
    lengths = st.sampled_from(
        ["", "", "", "0", "7", "9999", "9999999", "x", "-1", "é", "9" * 5_000]
    )
    at = st.integers(0, len(BODY))
    explore(st.tuples(bodies, headers, lengths, st.booleans(), at), check)
    assert seen == {204, 400, 401, 413, 500, 503}


def utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def test_a_body_with_any_byte_changed_is_refused() -> None:
    webhooks = Webhooks(SECRET)
    headers = {"x-service-signature": signed(BODY), "x-service-event": ENVELOPE["event"]}
    for at in range(len(BODY)):
        body = BODY[:at] + bytes([BODY[at] ^ 1]) + BODY[at + 1 :]
        assert code_of(webhooks.verify, body, headers) == "signature_mismatch"
