from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from support import Caller, Server, response
from support_chat import SupportChatError


@pytest.mark.parametrize(
    "path", ["v1/x", "/v1/../x", "/v1/.", "/v1/x?y=1", "/v1/x#y", "/v1/.\t./x", "/v1\\..\\x"]
)
def test_refuses_a_path_that_addresses_something_else(
    call: Caller, server: Server, path: str
) -> None:
    with pytest.raises(SupportChatError) as caught:
        call(lambda client: client.request("GET", path))
    assert caught.value.outcome == "not_sent"
    assert server.requests == []


CIRCULAR: dict[str, Any] = {}
CIRCULAR["self"] = CIRCULAR


@pytest.mark.parametrize(
    "do",
    [
        lambda client: client.request("POST", "/v1/things", body=CIRCULAR),
        lambda client: client.request("POST", "/v1/things", body={"a": float("nan")}),
        lambda client: client.request("POST", "/v1/things", body={"a": object()}),
        lambda client: client.request("POST", "/v1/things", body={"a": dt.datetime(2026, 1, 1)}),
        lambda client: client.conversations.get(None),
        lambda client: client.conversations.get("c1", timeout=0),
        lambda client: client.paginate("/v1/analytics", dict),
    ],
)
def test_refuses_what_cannot_be_sent(
    call: Caller, server: Server, do: Callable[[Any], Any]
) -> None:
    with pytest.raises(SupportChatError) as caught:
        call(do)
    assert caught.value.outcome == "not_sent"
    assert server.requests == []


def test_refuses_an_argument_that_it_does_not_have(call: Caller, server: Server) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'timout'"):
        call(lambda client: client.conversations.get("c1", timout=3))
    assert server.requests == []


def test_gives_the_response_with_its_data(call: Caller, server: Server) -> None:
    server.respond(
        response({"id": "conv_1"}), response({"data": [{"id": "a"}]}), response({"id": "src_1"})
    )
    raw = call(lambda client: client.conversations.with_raw_response.get("conv_1"))
    assert raw.data.id == "conv_1"
    assert raw.headers["Content-Type"] == "application/json"
    assert raw.content == b'{"id": "conv_1"}'
    page = call(lambda client: client.conversations.with_raw_response.list(limit=1))
    assert [item.id for item in page.data.data] == ["a"]
    source = call(
        lambda client: client.knowledge.sources.with_raw_response.create(type="url", url="x")
    )
    assert source.data.id == "src_1"
