import asyncio
import datetime as dt
import io
from email import message_from_bytes
from email.message import Message
from typing import Any

import httpx2
import pytest
from typing_extensions import assert_type

from cases import (
    bodies,
    directions,
    marks,
    media_types,
    parameters,
    statuses,
    styles,
    updates,
    uploads,
)
from wire import Wire

NO_CONTENT = httpx2.Response(204)


def parts_of(request: httpx2.Request) -> list[tuple[Any, Any, Any, Any]]:
    """The parts of a form: name, file name, media type and content."""
    head = b"content-type: " + request.headers["content-type"].encode() + b"\r\n\r\n"
    form: Message[str, str] = message_from_bytes(head + request.content)
    return [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part.get("content-type"),
            part.get_payload(decode=True),
        )
        for part in form.walk()
        if not part.is_multipart()
    ]


def test_uploads_files_beside_fields(wire: Wire) -> None:
    client = wire.client(uploads.SampleService, {"count": 3})
    made = client.albums.pictures.create(
        "a",
        cover=b"\x00\xff",
        more=[io.BytesIO(b"two"), ("three.png", b"three", "image/png")],
        title="Höhe",
        rank=1,
        public=True,
        taken=dt.datetime(2026, 3, 2, tzinfo=dt.timezone.utc),
        tags=["x", "y"],
    )
    assert made.count == 3
    assert parts_of(wire.last) == [
        ("cover", "upload", "application/octet-stream", b"\x00\xff"),
        ("more", "upload", "application/octet-stream", b"two"),
        ("more", "three.png", "image/png", b"three"),
        ("public", None, None, b"true"),
        ("rank", None, None, b"1"),
        ("tags", None, None, b"x"),
        ("tags", None, None, b"y"),
        ("taken", None, None, b"2026-03-02T00:00:00Z"),
        ("title", None, None, "Höhe".encode()),
    ]


def test_sends_and_reads_bytes_text_and_forms(wire: Wire) -> None:
    client = wire.client(
        uploads.SampleService, NO_CONTENT, httpx2.Response(200, content=b"\x00\xff")
    )
    client.logo.replace(body=b"\x00\xff")
    assert (wire.last.headers["content-type"], wire.last.content) == ("image/png", b"\x00\xff")
    logo = client.logo.get()
    assert_type(logo, bytes)
    assert logo == b"\x00\xff"
    client = wire.client(
        uploads.SampleService, httpx2.Response(200, text="é"), httpx2.Response(202)
    )
    assert client.notes.create(body="é") == "é"
    assert wire.last.content == "é".encode()
    assert client.notes.create() is None
    assert wire.last.content == b""
    sessions = wire.client(bodies.SampleService, {"id": "1"}, {"token": "t"}).sessions
    assert sessions.create(user="a b&c") == bodies.SessionCreateResponse200(id="1")
    assert wire.last.content == b"user=a+b%26c"
    assert sessions.create(user="a") == bodies.SessionCreateResponse201(token="t")


def test_sends_and_reads_bodies_of_other_media_types(wire: Wire) -> None:
    note = {"html": "<p>", "picture": "AAEC"}
    table = httpx2.Response(200, text="a,b")
    archive = httpx2.Response(200, content=b"\x1f\x8b")
    client = wire.client(media_types.SampleService, note, table, archive, note)
    assert client.anything.create(html="<p>").picture == "AAEC"
    assert client.report.create(body="a.b.c") == "a,b"
    assert (wire.last.headers["content-type"], wire.last.content) == ("application/jwt", b"a.b.c")
    assert client.archive.get() == b"\x1f\x8b"
    assert client.archive.replace(body=b"\x00").html == "<p>"
    assert wire.last.headers["content-type"] == "application/octet-stream"


def test_writes_parameters_in_their_styles(wire: Wire) -> None:
    client = wire.client(styles.SampleService, 1.5)
    point = styles.Point(x=1, y=-2)
    number = client.points.between.get(
        point,
        ["a", "b,c"],
        x_flag=True,
        form=point,
        joined=point,
        deep={"k": "v"},
        repeated=["a", "new"],
        commas=[1, 2],
        spaces=["a", "b"],
        pipes=[True, False],
        either=["p", "q"],
        x_ids=[1, 2],
        x_point=point,
        x_mode="fast",
    )
    assert_type(number, float)
    assert number == 1.5
    assert wire.target == (
        "/points/x,1,y,-2/between/a,b%2Cc?x=1&y=-2&joined=x,1,y,-2&deep%5Bk%5D=v"
        "&repeated=a&repeated=new&commas=1,2&spaces=a%20b&pipes=true|false&either=p&either=q"
    )
    names = ("x-flag", "x-ids", "x-point", "x-mode")
    sent = [wire.last.headers[name] for name in names]
    assert sent == ["true", "1,2", "x,1,y,-2", "fast"]


def test_updates_what_is_given_and_nothing_else(wire: Wire) -> None:
    profile = {"id": "1", "name": "Ada", "nickname": None}
    client = wire.client(updates.SampleService, profile, profile, NO_CONTENT)
    client.profiles.update("1", name="Ada", nickname=None, address=updates.Address(street=None))
    assert wire.body == {"name": "Ada", "nickname": None, "address": {"street": None}}
    client.profiles.update("1")
    assert wire.body == {}
    client.profiles.labels.update("1", body={"old": None, "new": "x"})
    assert wire.body == {"old": None, "new": "x"}
    assert wire.last.headers["content-type"] == "application/merge-patch+json"


def test_gives_what_each_status_stands_for(wire: Wire) -> None:
    client = wire.client(
        statuses.SampleService,
        {"value": "v"},
        httpx2.Response(202, json={"progress": 0.5}),
        httpx2.Response(201, json={"value": "new"}),
        NO_CONTENT,
        httpx2.Response(202),
        httpx2.Response(200, headers={"etag": '"1"'}),
    )
    jobs = client.jobs
    assert_type(jobs.get("1"), statuses.Result | statuses.JobGetResponse202)
    assert jobs.get("1") == statuses.JobGetResponse202(progress=0.5)
    assert jobs.replace("1") == statuses.Result(value="new")
    assert jobs.replace("1") is None
    jobs.delete("1")
    checked = jobs.with_raw_response.check("1")
    assert (checked.status, checked.data, checked.headers["etag"]) == (200, None, '"1"')
    assert [request.method for request in wire.requests[-2:]] == ["DELETE", "HEAD"]


def test_takes_a_success_without_content_where_one_is_announced(wire: Wire) -> None:
    client = wire.client(parameters.SampleService, "text", httpx2.Response(202))
    seats = client.rooms.seats
    body = parameters.RoomSeatUpdateBody(row=None)
    assert seats.update(["a"], 1, if_match="*", body=body) == "text"
    assert wire.body == {"row": None}
    assert seats.update(["a"], 1, if_match="*") is None
    assert wire.last.headers["if-match"] == "*"
    with pytest.raises(statuses.InvalidResponseError):
        wire.client(statuses.SampleService, httpx2.Response(200)).jobs.get("1")


def test_sends_no_field_that_only_answers_have(wire: Wire) -> None:
    user = {"id": "1", "name": "Ada", "created_at": "2026-03-02T12:00:00Z"}
    client = wire.client(directions.SampleService, user)
    made = client.users.create(name="Ada", password="p")
    assert wire.body == {"name": "Ada", "password": "p"}
    assert (made.id, made.password) == ("1", None)
    with pytest.raises(TypeError, match="unexpected keyword argument 'id'"):
        # Mypy refuses this; a caller without it gets the TypeError.
        client.users.create(name="Ada", password="p", id="2")  # type: ignore[call-arg]


def test_pages_by_the_fields_that_the_contract_names(wire: Wire) -> None:
    pages = ({"items": [{"id": "1"}], "next": "n"}, {"items": [{"id": "2"}], "next": None})
    client = wire.client(marks.SampleService, *pages, api_key="k")
    assert [item.id for item in client.items.list(after="a")] == ["1", "2"]
    assert [request.url.query for request in wire.requests] == [b"after=a", b"after=n"]
    assert wire.last.headers["x-api-key"] == "k"


def test_repeats_what_a_published_idempotency_key_makes_safe(wire: Wire) -> None:
    busy = httpx2.Response(503, headers={"retry-after-ms": "1"})
    client = wire.client(marks.SampleService, busy, {"id": "1"}, busy, api_key="k")
    assert client.items.create(id="1").id == "1"
    keys = {request.headers["idempotency-key"] for request in wire.requests}
    assert (len(wire.requests), len(keys)) == (2, 1)
    with pytest.raises(marks.ServerError):
        client.items.copy("1")


def test_the_asynchronous_client_does_the_same() -> None:
    def respond(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"id": request.url.path})

    async def run() -> marks.Item:
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(respond))
        async with marks.AsyncSampleService(
            api_key="k", base_url="http://a.test", http_client=http
        ) as client:
            return await client.items.copy("1")

    assert asyncio.run(run()) == marks.Item(id="/v1/items/1/copies")
