"""The kit that integrators test with."""

from __future__ import annotations

import copy
import datetime as dt
import json
import re
from typing import Any, get_args, get_type_hints

import pytest
from typing_extensions import assert_type

import support_chat
from support_chat import ConversationHandoffEvent, SupportChatError
from support_chat._generated.signature import SIGNATURE_ENCODINGS
from support_chat.testing import SampleKind, fake_delivery, fake_event
from support_chat.webhooks import EVENT_KINDS, Event, UnknownEvent, Webhooks
from webhooks.deliveries import SECRET, refusal_of, signed

KINDS: tuple[SampleKind, ...] = get_args(SampleKind)


def test_there_is_a_sample_of_every_kind_and_one_of_the_future() -> None:
    assert {*KINDS} == {*EVENT_KINDS, "future"}


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_a_fake_event_is_of_the_class_of_its_kind(kind: SampleKind) -> None:
    event = fake_event(kind)
    assert get_args(get_type_hints(type(event))["event"]) == (kind,)
    assert type(event) is getattr(support_chat, type(event).__name__)
    assert (event.event, event.extra) == (kind, {})
    assert event.occurred_at.tzinfo


def test_type_checkers_know_the_class() -> None:
    handoff = assert_type(fake_event("conversation.handoff"), ConversationHandoffEvent)
    assert handoff.data.reason
    assert_type(fake_event("future"), UnknownEvent)
    assert_type(fake_event(KINDS[0]), Event)


def test_the_future_has_an_unknown_kind_field_and_value() -> None:
    event = fake_event("future")
    assert isinstance(event, UnknownEvent)
    assert event.event not in EVENT_KINDS
    assert event.extra == {"future_field": True}
    assert "future_value" in json.dumps(event.data)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("encoding", SIGNATURE_ENCODINGS)
def test_a_fake_delivery_is_received_as_the_fake_event(kind: SampleKind, encoding: Any) -> None:
    delivery = fake_delivery(kind, secret=SECRET, signature_encoding=encoding)
    assert Webhooks(SECRET).unwrap(delivery.body, delivery.headers) == fake_event(kind)
    assert delivery.headers["content-type"] == "application/json"
    assert delivery.headers["x-service-event"] == json.loads(delivery.body)["event"]
    assert fake_delivery(kind, secret=SECRET, signature_encoding=encoding) == delivery


def test_a_signature_is_in_hex_by_default() -> None:
    delivery = fake_delivery("future", secret=SECRET)
    assert delivery.headers["x-service-signature"] == signed(delivery.body)
    lengths = [
        len(
            fake_delivery("future", secret=SECRET, signature_encoding=one).headers[
                "x-service-signature"
            ]
        )
        for one in SIGNATURE_ENCODINGS
    ]
    assert lengths == [
        {"hex": 71, "base64": 51, "base64url": 50}[one] for one in SIGNATURE_ENCODINGS
    ]


def test_overrides_are_merged_into_the_whole_envelope() -> None:
    overrides: dict[str, Any] = {
        "id": "evt_mine",
        "data": {"reason": "Il n’a rien reçu 🙋", "added": {"deep": [1, {"x": None}]}},
    }
    before = copy.deepcopy(overrides)
    event = fake_event("conversation.handoff", overrides)
    assert (event.id, event.data.reason) == ("evt_mine", "Il n’a rien reçu 🙋")
    assert event.data.conversation_id == fake_event("conversation.handoff").data.conversation_id
    assert event.to_dict()["data"]["added"] == {"deep": [1, {"x": None}]}
    assert overrides == before
    overrides["data"]["added"]["deep"].append(2)
    assert event.to_dict()["data"]["added"] == {"deep": [1, {"x": None}]}
    delivery = fake_delivery("conversation.handoff", secret=SECRET, overrides=before)
    assert Webhooks(SECRET).unwrap(delivery.body, delivery.headers) == event


def test_a_list_is_replaced_and_a_null_is_null() -> None:
    changes: dict[str, Any] = {"data": {"conversation": {"transcript": [], "handoff": None}}}
    event = fake_event("conversation.created", changes)
    assert event.data.conversation.to_dict().keys() >= {"id", "status"}
    data = event.to_dict()["data"]["conversation"]
    assert (data["transcript"], data["handoff"]) == ([], None)
    assert fake_event("conversation.created", {"data": None}).to_dict()["data"] is None


def test_values_of_this_package_are_written_as_json() -> None:
    time = dt.datetime(2026, 3, 2, 9, tzinfo=dt.timezone.utc)
    conversation = fake_event("conversation.created").data.conversation
    changes = {"occurred_at": time, "data": {"conversation": conversation}}
    assert fake_event("conversation.created", changes).occurred_at == time


def test_another_kind_shows_in_the_event_and_the_header() -> None:
    changes = {"event": "conversation.merged"}
    assert isinstance(fake_event("conversation.created", changes), UnknownEvent)
    delivery = fake_delivery("conversation.created", secret=SECRET, overrides=changes)
    assert delivery.headers["x-service-event"] == "conversation.merged"
    assert Webhooks(SECRET).unwrap(delivery.body, delivery.headers).event == "conversation.merged"


@pytest.mark.parametrize("event", [None, 7, [], {}], ids=str)
def test_an_envelope_that_no_verifier_accepts_can_be_made_too(event: Any) -> None:
    delivery = fake_delivery("future", secret=SECRET, overrides={"event": event})
    error = refusal_of(Webhooks(SECRET).unwrap, delivery.body, delivery.headers)
    assert error.code == "invalid_envelope"
    assert fake_event("future", {"event": event}).to_dict()["event"] == event


def test_events_share_nothing() -> None:
    event = fake_event("future")
    event.data.clear()
    assert fake_event("future").data != {}


@pytest.mark.parametrize("secret", ["", " \n", None])
def test_a_blank_secret_is_a_missing_one(secret: Any) -> None:
    assert refusal_of(lambda: fake_delivery("future", secret=secret)).code == "missing_secret"


@pytest.mark.parametrize("kind", ["conversation.merged", None, 7])
def test_an_unknown_kind_is_refused_with_the_known_ones(kind: Any) -> None:
    for call in (fake_event, lambda kind: fake_delivery(kind, secret=SECRET)):
        with pytest.raises(SupportChatError, match=re.escape(", ".join(KINDS))):
            call(kind)


@pytest.mark.parametrize("value", [float("nan"), object(), "\ud800", b"bytes"], ids=ascii)
def test_overrides_that_are_no_json_are_refused(value: Any) -> None:
    with pytest.raises(SupportChatError, match="The overrides cannot be written as JSON"):
        fake_event("future", {"data": {"value": value}})


def test_an_unknown_encoding_is_refused_with_the_known_ones() -> None:
    encoding: Any = "base32"
    with pytest.raises(SupportChatError, match=", ".join(SIGNATURE_ENCODINGS)):
        fake_delivery("future", secret=SECRET, signature_encoding=encoding)
