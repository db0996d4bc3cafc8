from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from support import API_KEY, Caller, Server, problem, reply
from support_chat import UNSET, SupportChat, SupportChatError
from support_chat._core.call import USER_AGENT

PAGE: dict[str, Any] = {"data": [], "next_cursor": None, "has_more": False}
TRANSPORT = {"host", "connection", "accept-encoding", "content-length"}


def own(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in TRANSPORT}


def test_lists_with_its_parameters_in_the_query_and_no_body(call: Caller, server: Server) -> None:
    server.answer(reply(PAGE))
    call(lambda client: client.conversations.list(status="handed_off", limit=5, cursor="a b&c=d"))
    [request] = server.requests
    assert request.method == "GET"
    assert request.target == "/v1/conversations?cursor=a%20b%26c%3Dd&limit=5&status=handed_off"
    assert request.body == b""
    assert own(request.headers) == {
        "accept": "application/json, application/problem+json",
        "authorization": f"Bearer {API_KEY}",
        "user-agent": USER_AGENT,
    }


def test_leaves_out_parameters_that_are_absent_or_null(call: Caller, server: Server) -> None:
    server.answer(reply())
    query = {"a": UNSET, "b": None, "c": 0, "d": "", "e": False}
    call(lambda client: client.request("GET", "/v1/things", query=query))
    assert server.targets() == ["/v1/things?c=0&d=&e=false"]


def test_gets_one_by_its_identifier(call: Caller, server: Server) -> None:
    server.answer(reply({"id": "conv_1", "later": "field"}))
    conversation = call(lambda client: client.conversations.get("conv_1"))
    assert conversation.id == "conv_1"
    assert conversation.extra == {"later": "field"}
    assert server.targets() == ["/v1/conversations/conv_1"]


def test_posts_json_with_an_idempotency_key_of_its_own(call: Caller, server: Server) -> None:
    server.answer(reply({"id": "msg_1"}, 201))
    for _ in range(2):
        call(lambda client: client.conversations.messages.create("conv_1", text="Grüße 👋"))
    first, second = server.requests
    assert (first.method, first.target) == ("POST", "/v1/conversations/conv_1/messages")
    assert first.body == '{"text":"Grüße 👋"}'.encode()
    assert first.headers["content-type"] == "application/json"
    assert len(first.headers["idempotency-key"]) == 36
    assert first.headers["idempotency-key"] != second.headers["idempotency-key"]


@pytest.mark.parametrize(
    ("arguments", "body"),
    [
        ({"type": "url", "url": "https://shop.test"}, b'{"type":"url","url":"https://shop.test"}'),
        (
            {"type": "text", "title": "T", "text": "x"},
            b'{"type":"text","title":"T","text":"x"}',
        ),
        (
            {"type": "file", "name": "n", "media_type": "text/plain", "content_base64": "eA=="},
            b'{"type":"file","name":"n","media_type":"text/plain","content_base64":"eA=="}',
        ),
    ],
)
def test_posts_each_kind_of_source(
    call: Caller, server: Server, arguments: dict[str, str], body: bytes
) -> None:
    server.answer(reply({"id": "src_1"}, 201))
    call(lambda client: client.knowledge.sources.create(**arguments, idempotency_key="mine"))
    [request] = server.requests
    assert (request.method, request.target) == ("POST", "/v1/knowledge/sources")
    assert request.body == body
    assert request.headers["idempotency-key"] == "mine"


def test_reads_the_counters_without_an_idempotency_key(call: Caller, server: Server) -> None:
    server.answer(reply({"conversation_volume": 3, "top_intents": [{"intent": "a", "count": 1}]}))
    counters = call(lambda client: client.analytics.get())
    assert counters.conversation_volume == 3
    assert counters.top_intents[0].count == 1
    assert server.targets() == ["/v1/analytics"]
    assert "idempotency-key" not in server.requests[0].headers


def test_sends_the_headers_of_a_call_over_its_own_and_none_takes_one_away(
    call: Caller, server: Server
) -> None:
    server.answer(reply())
    headers = {"X-Team": "a", "Accept": "text/x", "Authorization": None}
    call(lambda client: client.analytics.get(extra_headers=headers))
    sent = server.requests[0].headers
    assert sent["x-team"] == "a"
    assert sent["accept"] == "text/x"
    assert "authorization" not in sent


@pytest.mark.parametrize(
    ("identifier", "segment"),
    [
        ("a/b", "a%2Fb"),
        ("../admin", "..%2Fadmin"),
        ("a?b#c", "a%3Fb%23c"),
        ("...", "..."),
        ("$&{id}", "%24%26%7Bid%7D"),
        ("é %", "%C3%A9%20%25"),
        ("http://evil.test", "http%3A%2F%2Fevil.test"),
        ("!'()*~", "!'()*~"),
    ],
)
def test_keeps_an_identifier_inside_its_segment(
    call: Caller, server: Server, identifier: str, segment: str
) -> None:
    server.answer(reply())
    call(lambda client: client.conversations.get(identifier))
    assert server.targets() == [f"/v1/conversations/{segment}"]


@pytest.mark.parametrize("identifier", [".", "..", "", "%2e", "%2E.", "\ud800", None])
def test_refuses_an_identifier_that_addresses_something_else(
    call: Caller, server: Server, identifier: Any
) -> None:
    with pytest.raises(SupportChatError) as caught:
        call(lambda client: client.conversations.get(identifier))
    assert caught.value.outcome == "not_sent"
    assert server.requests == []


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
        lambda client: client.request("POST", "/v1/things", body={"a": "\ud800"}),
        lambda client: client.request("POST", "/v1/things", body={"a": dt.datetime(2026, 1, 1)}),
        lambda client: client.request("GET", "/v1/things", query={"a": "\ud800"}),
        lambda client: client.analytics.get(extra_headers={"x-token": "secret\nmore"}),
        lambda client: client.analytics.get(extra_headers={"x-token": "sécret"}),
        lambda client: client.analytics.get(extra_headers={"x token": "secret"}),
        lambda client: client.analytics.get(idempotency_key=" "),
        lambda client: client.analytics.get(timeout=-1),
        lambda client: client.analytics.get(timeout=None),
        lambda client: client.analytics.get(max_retries=-1),
        lambda client: client.paginate("/v1/analytics", dict),
    ],
)
def test_refuses_what_cannot_be_sent_without_quoting_it(
    call: Caller, server: Server, do: Callable[[Any], Any]
) -> None:
    with pytest.raises(SupportChatError) as caught:
        call(do)
    assert caught.value.outcome == "not_sent"
    assert "secret" not in f"{caught.value}{caught.value.__cause__}"
    assert server.requests == []


def test_refuses_an_argument_that_it_does_not_have(call: Caller, server: Server) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'timout'"):
        call(lambda client: client.analytics.get(timout=3))
    assert server.requests == []


def test_gives_the_answer_with_its_data(call: Caller, server: Server) -> None:
    server.answer(reply({"id": "conv_1"}, headers={"x-request-id": "req_7"}))
    answer = call(lambda client: client.conversations.with_raw_response.get("conv_1"))
    assert answer.data.id == "conv_1"
    assert (answer.status, answer.request_id) == (200, "req_7")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.content == b'{"id": "conv_1"}'


def test_gives_the_answer_of_a_list_and_of_a_union_body(call: Caller, server: Server) -> None:
    server.answer(reply({"data": [{"id": "a"}]}), reply({"id": "src_1"}, 201))
    page = call(lambda client: client.conversations.with_raw_response.list(limit=1))
    assert [item.id for item in page.data.data] == ["a"]
    source = call(
        lambda client: client.knowledge.sources.with_raw_response.create(type="url", url="x")
    )
    assert (source.status, source.data.id) == (201, "src_1")


def test_fails_like_the_call_itself_when_the_answer_is_asked_for(
    call: Caller, server: Server
) -> None:
    server.answer(problem(404))
    with pytest.raises(SupportChatError):
        call(lambda client: client.conversations.with_raw_response.get("conv_1"))


def test_gives_nothing_for_an_answer_without_content(call: Caller, server: Server) -> None:
    server.answer(b"HTTP/1.1 204 No Content\r\n\r\n")
    do = {"path_params": {"id": 7}}
    assert call(lambda client: client.request("DELETE", "/v1/things/{id}", **do)) is None
    assert [(r.method, r.target) for r in server.requests] == [("DELETE", "/v1/things/7")]


def test_keeps_no_cookies(call: Caller, server: Server) -> None:
    server.answer(reply(headers={"set-cookie": "session=1"}))

    def twice(client: Any) -> Any:
        return client.analytics.get()

    if call.asynchronous:

        async def both(client: Any) -> None:
            await twice(client)
            await twice(client)

        call(both)
    else:
        call(lambda client: [twice(client), twice(client)])
    assert len(server.requests) == 2
    assert "cookie" not in server.requests[1].headers


def test_uses_a_connection_again(server: Server) -> None:
    server.answer(reply())
    with SupportChat(api_key=API_KEY, base_url=server.url) as client:
        for _ in range(3):
            client.analytics.get()
    assert len(server.requests) == 3
    assert server.connections == 1
