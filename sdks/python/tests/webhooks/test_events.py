"""Events as classes."""

from __future__ import annotations

import datetime as dt
import pickle
from typing import Any, get_args, get_type_hints

import pytest
from typing_extensions import assert_type

import support_chat
from support_chat import ConversationHandoffData, ConversationHandoffEvent, SupportChatError
from support_chat.webhooks import (
    EVENT_KINDS,
    Event,
    UnknownEvent,
    Webhooks,
    WebhookVerificationError,
)
from webhooks.deliveries import BODY, ENVELOPE, HEADERS, SECRET, refusal_of, signed, written


def received(**changes: Any) -> Event:
    body = written({**ENVELOPE, **changes})
    return Webhooks(SECRET).unwrap(body, {"x-service-signature": signed(body)})


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_a_known_kind_has_a_class_of_its_own(kind: str) -> None:
    event = received(event=kind, data={})
    assert get_args(get_type_hints(type(event))["event"]) == (kind,)
    assert type(event) is getattr(support_chat, type(event).__name__)
    assert event.event == kind


def test_a_match_tells_events_apart() -> None:
    def reason(event: Event) -> str:
        match event:
            case ConversationHandoffEvent(data=data):
                assert_type(data, ConversationHandoffData)
                return data.reason
            case UnknownEvent(event=kind, data={"into": into}):
                return f"{kind} into {into}"
        return "another"

    assert reason(received()) == ENVELOPE["data"]["reason"]
    assert reason(received(event="conversation.merged", data={"into": "c"})) == (
        "conversation.merged into c"
    )
    assert reason(received(event="conversation.created", data={})) == "another"


@pytest.mark.parametrize(
    "kind", ["conversation.merged", "Conversation.handoff", "__class__", "get", "é🙋"]
)
def test_an_unknown_kind_keeps_its_data_as_it_came(kind: str) -> None:
    data = {"conversation_id": "conv_1", "into": ["conv_2"], "at": None}
    event = received(event=kind, data=data, added=True)
    assert isinstance(event, UnknownEvent)
    assert (event.event, event.id, event.data) == (kind, ENVELOPE["id"], data)
    assert event.occurred_at == dt.datetime(2026, 3, 2, 9, 21, 48, tzinfo=dt.timezone.utc)
    assert event.extra == {"added": True}
    assert event.to_dict() == {**ENVELOPE, "event": kind, "data": data, "added": True}


@pytest.mark.parametrize("kind", EVENT_KINDS)
@pytest.mark.parametrize(
    "value", [None, 7, "text", [], [7], {}, {"id": {}, "created_at": 7, "type": []}], ids=str
)
def test_a_known_kind_decodes_with_any_data(kind: str, value: Any) -> None:
    fields = ["conversation_id", "conversation", "message", "source", "rating", "reason", "new"]
    data = dict.fromkeys(fields, value)
    event = received(event=kind, data=data)
    assert not isinstance(event, UnknownEvent)
    assert event.to_dict() == {**ENVELOPE, "event": kind, "data": data}


@pytest.mark.parametrize("time", ["2026-03-02t09:21:48z", "2026-03-02T14:51:48.0000000+05:30"])
def test_the_time_of_an_event_is_a_datetime_in_every_form(time: str) -> None:
    instant = dt.datetime(2026, 3, 2, 9, 21, 48, tzinfo=dt.timezone.utc)
    assert received(occurred_at=time).occurred_at == instant
    assert received(occurred_at=time, event="new").occurred_at == instant


def test_an_error_is_one_of_this_package_with_its_code_and_its_hint() -> None:
    error = refusal_of(Webhooks("another").verify, BODY, HEADERS)
    assert isinstance(error, SupportChatError)
    assert (error.code, error.outcome) == ("signature_mismatch", None)
    assert str(error) == f"{error.hint} (signature_mismatch)"
    copy = pickle.loads(pickle.dumps(error))
    assert isinstance(copy, WebhookVerificationError)
    assert (copy.code, copy.hint, str(copy)) == (error.code, error.hint, str(error))


MARKED = b"\xef\xbb\xbf" + BODY
HINTS: list[tuple[str, Any, Any, str]] = [
    (SECRET, ENVELOPE, HEADERS, "request.get_data()"),
    (f"{SECRET}\n", BODY, HEADERS, "white space"),
    (SECRET, BODY.hex(), HEADERS, "isBase64Encoded"),
    (SECRET, MARKED, HEADERS, "byte order mark"),
    (SECRET, MARKED, {"x-service-signature": signed(MARKED)}, "byte order mark"),
    ("another", BODY, HEADERS, "raw"),
    (SECRET, BODY, {}, "x-service-signature"),
]


@pytest.mark.parametrize(("secret", "body", "headers", "hint"), HINTS, ids=range(len(HINTS)))
def test_the_hint_says_what_is_probably_wrong(
    secret: str, body: Any, headers: Any, hint: str
) -> None:
    assert hint in refusal_of(Webhooks(secret).unwrap, body, headers).hint
