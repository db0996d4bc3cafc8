from __future__ import annotations

import datetime as dt
import io
from typing import Any
from urllib.parse import unquote

import pytest

from support import Caller, Server, response
from support_chat import UNSET, Author, InvalidResponseError, Operation, Style


def send(call: Caller, server: Server, body: object, operation: Operation) -> tuple[bytes, str]:
    server.respond(response())
    call(lambda client: client.request("POST", "/v1/things", body=body, operation=operation))
    [request] = server.requests
    return request.body, request.headers["content-type"]


def test_writes_a_form_with_lists_and_absent_fields(call: Caller, server: Server) -> None:
    kind = "application/x-www-form-urlencoded"
    body = {"a": 1, "b": ["x", "y z"], "c": None, "d": UNSET, "e": True}
    content, content_type = send(call, server, body, Operation(content_type=kind))
    assert (content, content_type) == (b"a=1&b=x&b=y+z&e=true", kind)


def test_writes_multipart_with_files(call: Caller, server: Server) -> None:
    body = {
        "name": "n",
        "count": 2,
        "raw": b"abc",
        "open": io.BytesIO(b"def"),
        "named": ("a.txt", b"ghi", "text/plain"),
        "none": None,
    }
    operation = Operation(content_type="multipart/form-data")
    content, content_type = send(call, server, body, operation)
    assert content_type.startswith("multipart/form-data; boundary=")
    boundary = content_type.partition("boundary=")[2].encode()
    parts = [part.strip() for part in content.split(b"--" + boundary)[1:-1]]
    assert parts[0] == b'Content-Disposition: form-data; name="name"\r\n\r\nn'
    assert parts[1] == b'Content-Disposition: form-data; name="count"\r\n\r\n2'
    assert parts[2].startswith(b'Content-Disposition: form-data; name="raw"; filename="upload"')
    assert parts[2].endswith(b"\r\n\r\nabc")
    assert parts[3].endswith(b"\r\n\r\ndef")
    assert b'filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nghi' in parts[4]
    assert len(parts) == 5


def test_sends_bytes_and_text_as_they_are(call: Caller, server: Server) -> None:
    operation = Operation(content_type="application/octet-stream")
    assert send(call, server, b"\x00\xff", operation) == (b"\x00\xff", "application/octet-stream")
    server.requests.clear()
    assert send(call, server, "é", Operation(content_type="text/plain"))[0] == "é".encode()


def test_writes_models_times_and_nested_values_as_json(call: Caller, server: Server) -> None:
    body = {
        "author": Author(type="agent", name=None),
        "at": dt.datetime(2026, 3, 2, 9, 14, tzinfo=dt.timezone.utc),
        "day": dt.date(2026, 3, 2),
        "list": [dt.date(2026, 3, 2), {"absent": UNSET, "null": None}],
        "big": 2**63,
    }
    content, content_type = send(call, server, body, Operation())
    assert content_type == "application/json"
    assert content == (
        b'{"author":{"type":"agent","name":null},"at":"2026-03-02T09:14:00Z","day":"2026-03-02",'
        b'"list":["2026-03-02",{"null":null}],"big":9223372036854775808}'
    )


@pytest.mark.parametrize(
    ("format", "content", "value", "accept"),
    [
        ("text", "é".encode(), "é", "*/*"),
        ("binary", b"\x00\xff\x80", b"\x00\xff\x80", "*/*"),
        ("none", b"ignored", None, "application/json, application/problem+json"),
    ],
)
def test_reads_text_bytes_and_nothing(
    call: Caller, server: Server, format: Any, content: bytes, value: object, accept: str
) -> None:
    server.respond(response(content))
    operation = Operation(response=format)
    assert call(lambda client: client.request("GET", "/v1/things", operation=operation)) == value
    assert server.requests[0].headers["accept"] == accept


@pytest.mark.parametrize("format", ["json", "text"])
def test_reads_a_success_without_content_where_there_may_be_one(
    call: Caller, server: Server, format: Any
) -> None:
    server.respond(response(b"", 202))
    operation = Operation(response=format, optional=True)
    assert call(lambda client: client.request("GET", "/v1/things", operation=operation)) is None
    with pytest.raises(InvalidResponseError):
        call(lambda client: client.request("GET", "/v1/things"))


def test_writes_parameters_in_the_styles_of_the_contract(call: Caller, server: Server) -> None:
    server.respond(response())
    operation = Operation(
        query={
            "ids": Style(style="pipeDelimited", explode=False),
            "words": Style(style="spaceDelimited", explode=False),
            "few": Style(explode=False),
            "empty": Style(explode=False),
            "filter": Style(style="deepObject"),
            "flat": Style(explode=False),
        }
    )
    query = {
        "ids": [1, 2],
        "words": ["a b", "c"],
        "few": ["p", "q"],
        "empty": [],
        "filter": {"a": "x", "b": None},
        "flat": {"k": "v"},
        "plain": ["p", "q"],
        "absent": UNSET,
        "object": {"m": 1},
        "since": dt.datetime(2026, 3, 2, tzinfo=dt.timezone.utc),
    }
    call(lambda client: client.request("GET", "/v1/things", query=query, operation=operation))
    assert unquote(server.targets()[0]) == (
        "/v1/things?ids=1|2&words=a b c&few=p,q&filter[a]=x&flat=k,v&plain=p&plain=q&m=1"
        "&since=2026-03-02T00:00:00Z"
    )


def test_writes_lists_and_objects_into_the_path(call: Caller, server: Server) -> None:
    server.respond(response())
    path = {"ids": [1, "a,b"], "at": {"x": 1, "y": None, "label": "a b"}}
    call(lambda client: client.request("GET", "/v1/things/{ids}/{at}", path_params=path))
    assert server.targets() == ["/v1/things/1,a%2Cb/x,1,label,a%20b"]


def test_writes_lists_and_headers_of_an_operation(call: Caller, server: Server) -> None:
    server.respond(response())
    call(
        lambda client: client.request(
            "GET",
            "/v1/things/{ids}",
            path_params={"ids": ["a/b", 2]},
            headers={
                "X-Flag": True,
                "X-Ids": [1, 2],
                "X-Point": {"x": 1, "y": None},
                "X-None": None,
                "X-Absent": UNSET,
            },
        )
    )
    assert server.targets() == ["/v1/things/a%2Fb,2"]
    sent = server.requests[0].headers
    assert (sent["x-ids"], sent["x-point"]) == ("1,2", "x,1")
    assert sent["x-flag"] == "true"
    assert not {"x-none", "x-absent"} & sent.keys()
