import datetime as dt
from typing import Any

import pytest
from typing_extensions import assert_type

from cases import dates, integers, maps, nullable, odd_names, openapi_3_0, recursion, reserved_words
from wire import Wire

NOON = dt.datetime(2026, 3, 2, 12, tzinfo=dt.timezone.utc)
BIG = 2**63 - 1


def test_sends_and_reads_times_wherever_they_stand(wire: Wire) -> None:
    event = {
        "day": "2026-03-02",
        "at": "2026-03-02T12:00:00Z",
        "byName": {"lunch": "2026-03-02T12:00:00Z"},
        "holidays": ["2026-01-01"],
    }
    client = wire.client(dates.SampleService, [event], "2026-03-02T12:00:00Z")
    day = dt.date(2026, 3, 2)
    [read] = client.days.events.list(day, after=NOON, on=[day, day], if_modified_since=NOON)
    assert wire.target == (
        "/days/2026-03-02/events?after=2026-03-02T12%3A00%3A00Z&on=2026-03-02&on=2026-03-02"
    )
    assert wire.last.headers["if-modified-since"] == "2026-03-02T12:00:00Z"
    assert (read.day, read.at, read.holidays) == (day, NOON, [dt.date(2026, 1, 1)])
    assert read.by_name == {"lunch": NOON}
    made = client.days.events.create(day, body=read)
    assert_type(made, dt.datetime)
    assert made == NOON
    assert wire.body == event


def test_keeps_integers_beyond_doubles(wire: Wire) -> None:
    data = {"id": BIG, "others": [BIG], "byName": {"a": -BIG}, "maybe": BIG, "either": BIG}
    client = wire.client(integers.SampleService, data)
    entry = client.ledgers.entries.create(BIG, id=BIG, after=BIG, entries=[BIG, 1], x_account=BIG)
    assert wire.target == f"/ledgers/{BIG}/entries?after={BIG}&entries={BIG}&entries=1"
    assert wire.last.headers["x-account"] == str(BIG)
    assert wire.body == {"id": BIG}
    assert (entry.id, entry.others, entry.by_name, entry.either) == (BIG, [BIG], {"a": -BIG}, BIG)
    assert entry.to_dict() == data


def test_keeps_absent_null_and_a_value_apart() -> None:
    required: dict[str, Any] = {
        "text": None,
        "level": None,
        "owner": None,
        "both": None,
        "always": None,
        "when": None,
        "tags": None,
        "items": [None, "a"],
    }
    absent = nullable.Value.from_dict(required)
    assert (absent.flag, absent.either, absent.owner) == (nullable.UNSET, nullable.UNSET, None)
    assert absent.to_dict() == required
    null = nullable.Value.from_dict({**required, "flag": None, "either": None})
    assert (null.flag, null.either) == (None, None)
    assert null.to_dict() == {**required, "flag": None, "either": None}
    value = nullable.Value.from_dict({**required, "flag": True, "when": "2026-03-02T12:00:00Z"})
    assert (value.flag, value.when) == (True, NOON)
    assert openapi_3_0.Person(born=None, name=None).to_dict() == {"born": None, "name": None}
    assert openapi_3_0.Person(born=None).to_dict() == {"born": None}


@pytest.mark.parametrize(("data", "expected"), [({"a": "x"}, {"a": "x"}), (None, None)])
def test_sends_a_body_that_may_be_null(wire: Wire, data: Any, expected: object) -> None:
    client = wire.client(nullable.SampleService, None)
    body = nullable.ValueCreateBody(**data) if data else None
    assert client.values.create(body=body) is None
    assert wire.body == expected


def test_reads_and_writes_what_holds_itself(wire: Wire) -> None:
    leaf: dict[str, Any] = {"branches": []}
    tree = {
        "branches": [leaf, {"branches": [leaf]}],
        "forest": {"next": {"oldest": leaf}},
        "named": {"a": leaf},
        "rule": {"kind": "both", "rules": [{"kind": "plain"}, {"kind": "both", "rules": []}]},
        "twin": None,
    }
    read = wire.client(recursion.SampleService, tree).trees.get("t")
    assert read.branches[1].branches == [recursion.Tree(branches=[])]
    assert read.forest == recursion.Forest(
        next=recursion.Forest(oldest=recursion.Tree(branches=[]))
    )
    assert read.rule == recursion.Both(rules=[recursion.Plain(), recursion.Both(rules=[])])
    assert (read.twin, read.branches[0].twin) == (None, recursion.UNSET)
    assert read.to_dict() == tree


def test_reads_maps_of_anything(wire: Wire) -> None:
    client = wire.client(maps.SampleService, {"a": {"value": "1"}})
    setting = maps.Setting(value="1")
    assert client.settings.replace(body={"a": setting}) == {"a": setting}
    assert wire.body == {"a": {"value": "1"}}
    data = {
        "lists": {"a": [{"value": "1"}]},
        "inline": {"a": {"size": 1}},
        "nested": {"a": {"b": 1.5}},
        "dates": {"a": "2026-03-02T12:00:00Z"},
        "unions": {"a": "text", "b": {"value": "1"}},
        "free": {"a": [1]},
    }
    shelf = maps.Shelf.from_dict(data)
    assert shelf == maps.Shelf(
        lists={"a": [setting]},
        inline={"a": maps.ShelfInlineValue(size=1)},
        nested={"a": {"b": 1.5}},
        dates={"a": NOON},
        unions={"a": "text", "b": setting},
        free={"a": [1]},
    )
    assert shelf.to_dict() == data


def test_keeps_fields_that_have_no_name_of_their_own() -> None:
    data = {"id": "1", "colour": "red"}
    labelled = maps.Labelled.from_dict(data)
    assert labelled.extra == {"colour": "red"}
    assert labelled.to_dict() == data


@pytest.mark.parametrize("kind", [odd_names.OddNames1, reserved_words.Return])
def test_gives_every_field_a_name(kind: Any) -> None:
    names = {described: described for described in kind.__dataclass_fields__ if described[0] != "_"}
    wires = {kind._names.get(name, name): name for name in names}
    assert len(wires) == len(names) > 15
    value = kind(**names)
    assert value.to_dict() == wires
    assert kind.from_dict(wires) == value


def test_sends_parameters_by_the_names_of_the_service(wire: Wire) -> None:
    client = wire.client(odd_names.SampleService, {}, {}, {})
    client.größen.get("a/b", filter_name="x", page=2, n2nd="y")
    assert wire.target == "/gr%C3%B6%C3%9Fen/a%2Fb?filter%5Bname%5D=x&%40page=2&2nd=y"
    words = wire.client(reserved_words.SampleService, {"class": "c", "def": "d"})
    words.words.class_.import_.get(
        "c", from_="a", in_="b", type="t", body="o", self_="s", options_="p"
    )
    assert wire.target == "/words/class/c/import?from=a&in=b&type=t&body=o&options=p&self=s"
