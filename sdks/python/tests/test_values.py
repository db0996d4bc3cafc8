"""Values of the API in the hands of other libraries."""

from __future__ import annotations

import copy
import dataclasses
import datetime as dt
import json
import pickle
import weakref
from collections import OrderedDict
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import cattrs
import flask
import msgspec
import pydantic
import pytest
from fastapi.encoders import jsonable_encoder

from support import CONVERSATION, MESSAGE
from support_chat import Author, Conversation, Message, Page, request_id_of
from support_chat._core.model import remember_request_id

READ = {**MESSAGE, "later": {"a": 1}, "created_at": "soon"}
FIELDS = {"id", "conversation_id", "author", "text", "created_at"}
CONVERSATION_FIELDS = {field.name for field in dataclasses.fields(Conversation) if field.init}


@pytest.fixture
def message() -> Message:
    message = Message.from_dict(READ)
    remember_request_id(message, "req_1")
    return message


def test_dataclass_functions_see_the_fields_of_the_contract_alone(message: Message) -> None:
    assert {field.name for field in dataclasses.fields(message)} == FIELDS
    assert dataclasses.asdict(message).keys() == FIELDS
    assert dataclasses.astuple(message)[:2] == ("msg_1", "conv_1")
    assert "later" not in repr(message)
    assert not hasattr(message, "__dict__")


def test_objects_can_be_referred_to_weakly(message: Message) -> None:
    page = Page([message], None)
    assert weakref.ref(message)() is message
    assert weakref.ref(page)() is page


def test_flask_writes_the_fields_alone(message: Message) -> None:
    with flask.Flask(__name__).app_context():
        assert flask.jsonify(message).get_json() == {
            name: value for name, value in READ.items() if name != "later"
        }


def test_pydantic_writes_reads_and_describes_the_fields_alone() -> None:
    kind = pydantic.TypeAdapter(Conversation)
    conversation = Conversation.from_dict({**CONVERSATION, "later": 1})
    written = json.loads(kind.dump_json(conversation))
    assert written.keys() == CONVERSATION_FIELDS
    assert kind.validate_python(written) == conversation
    assert kind.json_schema()["properties"].keys() == CONVERSATION_FIELDS


def test_fastapi_returns_the_fields_alone(message: Message) -> None:
    assert jsonable_encoder(message).keys() == FIELDS


def test_msgspec_and_cattrs_write_and_read_the_fields_alone() -> None:
    conversation = Conversation.from_dict({**CONVERSATION, "later": 1})
    written = json.loads(msgspec.json.encode(conversation))
    assert written.keys() == CONVERSATION_FIELDS
    assert written["transcript"][0].keys() == FIELDS
    assert msgspec.convert(written, Conversation) == conversation
    assert cattrs.unstructure(conversation).keys() == CONVERSATION_FIELDS


@pytest.mark.parametrize(
    "duplicate", [lambda value: pickle.loads(pickle.dumps(value)), copy.copy, copy.deepcopy]
)
def test_copies_keep_what_came_but_no_request_id(message: Message, duplicate: Any) -> None:
    twin = duplicate(message)
    assert twin == message
    assert twin.to_dict() == READ
    assert twin.extra == {"later": {"a": 1}}
    assert request_id_of(message) == "req_1"
    assert request_id_of(twin) is None


def test_values_can_be_hashed_and_compared() -> None:
    one, other = Conversation.from_dict(CONVERSATION), Conversation.from_dict(CONVERSATION)
    remember_request_id(other, "req_1")
    assert one == other
    assert hash(one) == hash(other)
    assert {one, other} == {one}
    assert one != Conversation.from_dict({**CONVERSATION, "status": "open"})


def test_mappings_of_any_kind_are_read() -> None:
    author = MappingProxyType({"type": "bot"})
    nested = OrderedDict(CONVERSATION, transcript=[MappingProxyType({**MESSAGE, "author": author})])
    read = Conversation.from_dict(MappingProxyType(nested))
    assert read.transcript[0].author.type == "bot"
    assert read.to_dict() == {
        **CONVERSATION,
        "transcript": [{**MESSAGE, "author": {"type": "bot"}}],
    }
    json.dumps(read.to_dict())


class Plain(Message):
    """A subclass without fields."""

    def shout(self) -> str:
        return self.text.upper()


@dataclass(frozen=True, kw_only=True)
class Tagged(Message):
    """A subclass with fields of its own."""

    tags: list[str] = dataclasses.field(default_factory=list)
    rank: int = 7


@pytest.mark.parametrize("kind", [Plain, Tagged])
def test_subclasses_of_the_caller_are_read_and_written(kind: type[Message]) -> None:
    made = kind.from_dict(READ)
    assert type(made) is kind
    assert made.text == "Hi"
    assert made.to_dict()["later"] == {"a": 1}
    assert pickle.loads(pickle.dumps(made)) == made
    assert copy.deepcopy(made).to_dict() == made.to_dict()


def test_a_subclass_has_its_methods_and_defaults() -> None:
    assert Plain.from_dict(MESSAGE).shout() == "HI"
    tagged = Tagged.from_dict(MESSAGE)
    assert (tagged.tags, tagged.rank) == ([], 7)


def test_mistyped_values_are_written_as_they_came(message: Message) -> None:
    assert message.created_at == "soon"
    assert message.to_dict() == READ
    moved = message.__replace__(created_at=dt.datetime(2026, 1, 1, tzinfo=dt.timezone.utc))
    assert moved.to_dict() == {**READ, "created_at": "2026-01-01T00:00:00Z"}


def test_a_page_is_a_value_too() -> None:
    page = Page([Author(type="agent", name=None)], None)
    assert dataclasses.asdict(page) == {
        "data": [{"type": "agent", "name": None}],
        "next_cursor": None,
    }
    assert pickle.loads(pickle.dumps(page)) == page
    assert page.request_id is None
