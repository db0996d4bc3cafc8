from __future__ import annotations

import copy
import dataclasses
import datetime as dt
import pickle
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import pytest

import support_chat as sdk
from support import CONVERSATION, MESSAGE
from support_chat import UNSET, Author, Conversation, Message, Model, UnknownVariant, Unset
from support_chat._core.dates import parse_date
from support_chat._core.model import each, model, tagged, values
from support_chat._core.scalars import parse_date_time
from support_chat._core.untagged import untagged

UTC = dt.timezone.utc


def test_reads_values_as_python_has_them() -> None:
    conversation = Conversation.from_dict(CONVERSATION)
    assert conversation.status == "handed_off"
    assert conversation.created_at == dt.datetime(2026, 3, 2, 9, 14, 7, tzinfo=UTC)
    assert conversation.updated_at.microsecond == 120_000
    assert conversation.transcript[0].author == Author(type="agent", name=None)
    assert conversation.handoff is None


def test_a_missing_field_is_none_and_raises_nothing() -> None:
    conversation = Conversation.from_dict({})
    described = [field.name for field in dataclasses.fields(conversation)]
    found = {name: getattr(conversation, name) for name in described}
    assert found == dict.fromkeys(described)
    assert conversation.handoff is None
    assert conversation.transcript is None


def test_keeps_unknown_fields_and_values() -> None:
    message = Message.from_dict({**MESSAGE, "later": {"a": 1}, "author": {"type": "robot"}})
    assert message.extra == {"later": {"a": 1}}
    assert message.author.type == "robot"


def test_keeps_unknown_fields_when_a_field_is_replaced() -> None:
    message = Message.from_dict({**MESSAGE, "later": 1})
    changed = message.__replace__(text="Bye", created_at=message.created_at)
    assert changed.to_dict() == {**MESSAGE, "later": 1, "text": "Bye"}
    plain = dataclasses.replace(message, text="Bye")
    assert plain == changed
    assert plain.to_dict() == {**MESSAGE, "text": "Bye"}
    moved = message.__replace__(created_at=dt.datetime(2027, 1, 1, tzinfo=UTC))
    assert moved.to_dict()["created_at"] == "2027-01-01T00:00:00Z"


def test_tells_absent_null_and_a_value_apart() -> None:
    @model
    class Patch(Model):
        _names: ClassVar[Mapping[str, str]] = {"class_": "class"}

        required: str | None
        class_: str | None = None
        note: str | Unset | None = UNSET

        @staticmethod
        def _reader(new_draft: Callable[[], Any], cls: Any) -> Callable[[Any], Any]:
            def read(data: Any) -> Any:
                draft = new_draft()
                draft._wire = data
                draft.required = data.get("required")
                draft.class_ = data.get("class")
                draft.note = data.get("note", UNSET)
                draft.__class__ = cls
                return draft

            return read

    assert Patch(required=None).to_dict() == {"required": None}
    assert Patch(required="a", note=None).to_dict() == {"required": "a", "note": None}
    assert Patch(required="a", note="b", class_="c").to_dict() == {
        "required": "a",
        "note": "b",
        "class": "c",
    }
    states: list[dict[str, Any]] = [{}, {"note": None}, {"note": "b"}, {"class": None}]
    for data in states:
        assert Patch.from_dict(data).to_dict() == data
    assert Patch.from_dict({}).note is UNSET
    assert Patch.from_dict({"note": None}).note is None
    assert Patch.from_dict({"class": "x", "other": 1}).extra == {"other": 1}


@model
class Note(Model):
    code: str
    detail: str | None = None

    @staticmethod
    def _reader(new_draft: Callable[[], Any], cls: Any) -> Callable[[Any], Any]:
        def read(data: Any) -> Any:
            draft = new_draft()
            draft._wire = data
            draft.code = data.get("code")
            draft.detail = data.get("detail")
            draft.__class__ = cls
            return draft

        return read


def test_an_optional_field_that_is_none_is_absent() -> None:
    note = Note(code="c")
    assert note.detail is None
    assert "detail" not in note.to_dict()
    read = Note.from_dict({"detail": None, "code": "c"})
    assert read.to_dict() == {"detail": None, "code": "c"}
    explained = Note.from_dict({"detail": "d"})
    assert dataclasses.replace(explained, detail=None).to_dict() == {}


def test_what_is_written_shares_nothing_with_what_was_read() -> None:
    data = copy.deepcopy(CONVERSATION)
    conversation = Conversation.from_dict(data)
    conversation.to_dict()["transcript"][0]["later"] = 1
    conversation.transcript.append(Message.from_dict({"text": "Bye"}))
    assert conversation.to_dict()["transcript"] == [MESSAGE, {"text": "Bye"}]


def test_objects_are_frozen_compared_by_value_and_made_by_keyword() -> None:
    author = Author(type="agent", name="Mina")
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(author, *("name", "Ada"))
    with pytest.raises((AttributeError, TypeError)):
        object.__setattr__(author, "other", 1)
    assert author == Author.from_dict({"type": "agent", "name": "Mina", "later": 1})
    assert hash(author) == hash(Author(type="agent", name="Mina"))
    assert repr(author) == "Author(type='agent', name='Mina')"
    with pytest.raises(TypeError):
        type.__call__(Author, "agent", "Mina")
    read = Message.from_dict(MESSAGE)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(read, *("text", "Bye"))


def test_objects_can_be_matched_copied_and_pickled() -> None:
    conversation = Conversation.from_dict(CONVERSATION)
    match conversation:
        case Conversation(status="handed_off", transcript=[Message(text=text)]):
            assert text == "Hi"
        case _:
            pytest.fail("no match")
    for twin in (
        pickle.loads(pickle.dumps(conversation)),
        copy.copy(conversation),
        copy.deepcopy(conversation),
    ):
        assert twin == conversation
        assert twin.to_dict() == CONVERSATION


def test_a_conversation_is_a_summary_too() -> None:
    conversation = Conversation.from_dict(CONVERSATION)
    assert isinstance(conversation, sdk.ConversationSummary)
    assert type(conversation) is Conversation


@pytest.mark.parametrize("value", [None, [], "text", 1])
def test_is_made_from_nothing_but_an_object(value: Any) -> None:
    with pytest.raises(TypeError, match="Message is made from an object"):
        Message.from_dict(value)
    assert Message.read(value) == value


@model
class Circle(Model):
    kind: str = "circle"
    radius: float

    @staticmethod
    def _reader(new_draft: Callable[[], Any], cls: Any) -> Callable[[Any], Any]:
        def read(data: Any) -> Any:
            draft = new_draft()
            draft._wire = data
            draft.kind = data.get("kind")
            draft.radius = data.get("radius")
            draft.__class__ = cls
            return draft

        return read


@model
class Square(Model):
    kind: str = "square"
    side: float
    color: str | None = None

    @staticmethod
    def _reader(new_draft: Callable[[], Any], cls: Any) -> Callable[[Any], Any]:
        def read(data: Any) -> Any:
            draft = new_draft()
            draft._wire = data
            draft.kind = data.get("kind")
            draft.side = data.get("side")
            draft.color = data.get("color")
            draft.__class__ = cls
            return draft

        return read


def read_shape(value: Any) -> Circle | Square | UnknownVariant:
    shape: Circle | Square | UnknownVariant = tagged(
        "kind", {"circle": Circle.read, "square": Square.read}, value
    )
    return shape


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({"kind": "circle", "radius": 1}, Circle),
        ({"kind": "square", "side": 1}, Square),
        ({"kind": "circle"}, Circle),
        ({"kind": "hexagon", "edge": 1}, UnknownVariant),
        ({"radius": 1}, UnknownVariant),
        ({"kind": ["circle"]}, UnknownVariant),
    ],
)
def test_reads_a_union_by_its_tag_and_keeps_what_it_does_not_know(
    data: dict[str, Any], kind: type
) -> None:
    shape = read_shape(data)
    assert type(shape) is kind
    assert shape.to_dict() == data


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({"radius": 1}, Circle),
        ({"side": 1, "color": "red"}, Square),
        ({"edge": 1}, UnknownVariant),
        ({}, UnknownVariant),
    ],
)
def test_reads_a_union_without_a_tag_by_its_fields(data: dict[str, Any], kind: type) -> None:
    shape = untagged([Circle, Square], [], data)
    assert type(shape) is kind
    assert (shape.to_dict() if isinstance(shape, Model | UnknownVariant) else None) == data
    assert untagged([Circle, Square], [], "text") == "text"
    assert untagged([], [read_shape], {"kind": "circle", "radius": 1}) == Circle(radius=1)
    assert untagged([Circle], [partial(each, parse_date)], ["2026-03-02"]) == [dt.date(2026, 3, 2)]


def test_writes_what_no_variant_is_as_it_came() -> None:
    @model
    class Drawing(Model):
        shapes: list[Circle | UnknownVariant]
        until: list[dt.datetime]

        @staticmethod
        def _reader(new_draft: Callable[[], Any], cls: Any) -> Callable[[Any], Any]:
            def read(data: Any) -> Any:
                draft = new_draft()
                draft._wire = data
                draft.shapes = each(read_shape, data.get("shapes"))
                draft.until = each(parse_date_time, data.get("until"))
                draft.__class__ = cls
                return draft

            return read

    star = {"kind": "star", "points": 5}
    data = {"shapes": [star], "until": ["2026-03-02T09:14:07.123456789Z"]}
    drawing = Drawing.from_dict(data)
    assert drawing.to_dict() == data
    assert Drawing(shapes=drawing.shapes, until=[]).to_dict() == {"shapes": [star], "until": []}


def test_reads_lists_maps_and_what_is_nested() -> None:
    assert each(Author.read, [{"type": "a"}, 1]) == [Author(type="a", name=None), 1]
    assert values(parse_date, {"a": "2026-03-02"}) == {"a": dt.date(2026, 3, 2)}
    assert each(partial(each, parse_date), [["2026-03-02"]]) == [[dt.date(2026, 3, 2)]]
    odd: list[Any] = [each(parse_date, "text"), values(parse_date, None)]
    assert odd == ["text", None]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-03-02T09:14:07Z", dt.datetime(2026, 3, 2, 9, 14, 7, tzinfo=UTC)),
        ("2026-03-02T09:14:07.5Z", dt.datetime(2026, 3, 2, 9, 14, 7, 500_000, tzinfo=UTC)),
        ("2026-03-02T09:14:07.123456789Z", dt.datetime(2026, 3, 2, 9, 14, 7, 123_456, UTC)),
        ("2026-03-02T11:14:07+02:00", dt.datetime(2026, 3, 2, 9, 14, 7, tzinfo=UTC)),
    ],
)
def test_reads_times_of_rfc_3339(text: str, time: dt.datetime) -> None:
    assert parse_date_time(text) == time
