from __future__ import annotations

import copy
import functools
import json
import logging
import os
import pickle
import subprocess
import sys
import traceback
from collections import OrderedDict
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import httpx2
import pytest

from support import API_KEY, CONVERSATION, MESSAGE, Caller, Server, problem, response, settle
from support_chat import AsyncSupportChat, Operation, SupportChat, SupportChatError

BASE_URL = "http://a.test"


@pytest.fixture(params=[SupportChat, AsyncSupportChat])
def construct(request: pytest.FixtureRequest) -> Callable[..., Any]:
    kind: Callable[..., Any] = request.param
    return kind


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"api_key": 7}, "API key"),
        ({"base_url": "http://[::1"}, "base URL"),
        ({"base_url": "http://a.test:port"}, "base URL"),
        ({"timeout": float("inf")}, "timeout"),
        ({"timeout": True}, "timeout"),
        ({"connect_timeout": 0}, "connect_timeout"),
        ({"http_client": "http://a.test"}, "http_client must be an httpx2"),
        ({"default_headers": [("a", "b")]}, "default_headers must be a mapping"),
        ({"middleware": [7]}, "middleware must be callable"),
        ({"middleware": [None]}, "middleware must be callable"),
        ({"middleware": None}, "middleware must be callable"),
        ({"on_mismatch": 7}, "on_mismatch must be callable"),
        ({"log_level": "loud"}, "log_level must be one of off, error, warn, info, debug"),
        ({"timeout": "1"}, "timeout"),
        ({"max_retries": 0.5}, "max_retries"),
        ({"max_retries": True}, "max_retries"),
    ],
)
def test_refuses_an_option_of_another_type(
    construct: Callable[..., Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(SupportChatError, match=message) as caught:
        construct(**{"api_key": API_KEY, "base_url": BASE_URL, **options})
    assert caught.value.outcome == "not_sent"


def test_makes_clones_that_differ_in_nothing_but_the_given_options(
    call: Caller, server: Server
) -> None:
    server.respond(response())
    clones = []

    def other_key(client: Any) -> Any:
        clones.append(client.with_options(api_key="sk_other"))
        return clones[0].conversations.get("c1")

    call(other_key)
    assert isinstance(clones[0], SupportChat | AsyncSupportChat)
    assert server.requests[0].headers["authorization"] == "Bearer sk_other"


def test_a_clone_shares_the_connections_and_leaves_them_open(server: Server) -> None:
    server.respond(response())
    with SupportChat(api_key=API_KEY, base_url=server.url) as client:
        with client.with_options(max_retries=0) as clone:
            clone.conversations.get("c1")
        client.conversations.get("c1")
    assert server.connections == 1


def test_takes_nothing_but_keyword_arguments(construct: Callable[..., Any]) -> None:
    with pytest.raises(TypeError):
        construct(API_KEY, BASE_URL)


def test_leaves_an_http_client_open_that_it_was_given() -> None:
    http = httpx2.Client(transport=httpx2.MockTransport(lambda _: httpx2.Response(200, json={})))
    with SupportChat(api_key=API_KEY, base_url=BASE_URL, http_client=http) as client:
        client.conversations.get("c1")
    assert not http.is_closed
    http.close()
    closed = SupportChat(api_key=API_KEY, base_url=BASE_URL)
    closed.close()
    with pytest.raises(RuntimeError, match="closed"):
        closed.conversations.get("c1")


def get(client: Any, **options: Any) -> Any:
    return client.conversations.get("conv_1", **options)


def test_a_call_overrides_the_headers_and_the_query_of_its_client(
    call: Caller, server: Server
) -> None:
    server.respond(response(CONVERSATION))
    call(
        lambda client: get(
            client,
            extra_headers=OrderedDict({"x-b": "call", "X-C": None}),
            extra_query=MappingProxyType({"b": "call", "c": None, "d": [1, 2]}),
        ),
        default_headers={"X-A": "client", "X-B": "client", "X-C": "client", "accept": None},
        default_query={"a": "client", "b": "client", "c": "client"},
    )
    headers = server.requests[0].headers
    assert (headers["x-a"], headers["x-b"]) == ("client", "call")
    assert "x-c" not in headers
    assert server.targets() == ["/v1/conversations/conv_1?a=client&b=call&d=1&d=2"]


def test_every_call_has_its_own_idempotency_key(call: Caller, server: Server) -> None:
    """Also where the client has the header: the service would take later calls for retries."""
    server.respond(response(MESSAGE), response(MESSAGE))

    def create(client: Any, key: str | None = None) -> Any:
        return client.conversations.messages.create("conv_1", text="Hi", idempotency_key=key)

    of_client = {"Idempotency-Key": "client"}
    call(create, default_headers=of_client)
    call(functools.partial(create, key="mine"), default_headers=of_client)
    fresh, given = (request.headers["idempotency-key"] for request in server.requests)
    assert len(fresh) == 36
    assert given == "mine"


def test_an_argument_overrides_the_query_of_the_client(call: Caller, server: Server) -> None:
    server.respond(response({"data": []}))

    async def pages(client: Any) -> None:
        await settle(client.conversations.list())
        await settle(client.conversations.list(status="open"))

    def pages_now(client: Any) -> None:
        client.conversations.list(status=None)
        client.conversations.list(status="open")

    call(pages if call.asynchronous else pages_now, default_query={"status": "resolved"})
    assert server.targets() == [
        "/v1/conversations?status=resolved",
        "/v1/conversations?status=open",
    ]


def test_a_call_adds_members_to_its_body(call: Caller, server: Server) -> None:
    server.respond(response(MESSAGE))
    call(
        lambda client: client.conversations.messages.create(
            "conv_1", text="Hi", extra_body={"later": {"a": 1}}, idempotency_key=None
        )
    )
    assert json.loads(server.requests[0].body) == {"text": "Hi", "later": {"a": 1}}
    assert server.requests[0].headers["idempotency-key"]


@pytest.mark.parametrize(
    ("arguments", "content_type", "sent"),
    [
        ({}, "application/json", {"a": 1}),
        ({"body": {"b": 2}}, "application/json", {"b": 2, "a": 1}),
        ({"operation": Operation(content_type="text/plain")}, "application/json", {"a": 1}),
    ],
)
@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
def test_a_call_without_a_body_sends_the_members_it_adds(
    call: Caller, server: Server, method: str, arguments: Any, content_type: str, sent: Any
) -> None:
    server.respond(response())
    call(lambda client: client.request(method, "/v1/x", extra_body={"a": 1}, **arguments))
    assert json.loads(server.requests[0].body) == sent
    assert server.requests[0].headers["content-type"] == content_type


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        ("GET", {}, "A GET request has no body. Use extra_query instead."),
        ("HEAD", {"body": {}}, "A HEAD request has no body"),
        ("POST", {"body": [1]}, "extra_body needs a body that is an object"),
        ("POST", {"body": None}, "extra_body needs a body that is an object"),
        ("PUT", {"body": b"a"}, "extra_body needs a body that is an object"),
    ],
)
def test_members_need_a_body_that_can_have_them(
    call: Caller, server: Server, method: str, arguments: Any, message: str
) -> None:
    with pytest.raises(SupportChatError, match=message) as caught:
        call(lambda client: client.request(method, "/v1/x", extra_body={"a": 1}, **arguments))
    assert caught.value.outcome == "not_sent"
    assert server.requests == []


@pytest.mark.parametrize("kind", ["json", "text", "binary"])
def test_the_accepted_type_is_that_of_the_call_or_the_client(
    call: Caller, server: Server, kind: Any
) -> None:
    server.respond(response())

    def accept(**options: Any) -> Any:
        return lambda client: client.request(
            "GET", "/v1/x", operation=Operation(response=kind), **options
        )

    of_client = {"Accept": "a/client"}
    call(accept(), default_headers=of_client)
    call(accept(extra_headers={"ACCEPT": "a/call"}), default_headers=of_client)
    assert [one.headers["accept"] for one in server.requests] == ["a/client", "a/call"]


def test_a_clone_may_have_another_http_client(call: Caller, server: Server) -> None:
    kind = httpx2.AsyncClient if call.asynchronous else httpx2.Client
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json=CONVERSATION))
    assert call(lambda c: get(c.with_options(http_client=kind(transport=transport)))).id == "conv_1"
    assert server.requests == []


class Named(SupportChat):
    """A subclass with a constructor of its own."""

    def __init__(self, name: str, url: str) -> None:
        super().__init__(api_key=API_KEY, base_url=url)
        self.name = name


def test_a_subclass_keeps_what_it_has_in_its_clones(server: Server) -> None:
    server.respond(response(CONVERSATION))
    with Named("mine", server.url) as client:
        assert client.conversations is client.conversations
        clone = client.with_options(default_headers={"x-a": "b"})
        assert isinstance(clone, Named)
        assert clone.name == "mine"
        get(clone)
        get(client)
        assert client.with_raw_response.conversations.get("conv_1").status == 200
    assert [request.headers.get("x-a") for request in server.requests] == ["b", None, None]


def lines_of(source: str, level: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", source],
        env={"PYTHONPATH": os.pathsep.join(sys.path), "SUPPORT_CHAT_LOG": level},
        capture_output=True,
        text=True,
    )
    return run.stderr


@pytest.mark.parametrize(
    ("level", "count"), [("", 0), ("off", 0), ("error", 0), ("warn", 1), ("info", 3), ("debug", 5)]
)
def test_the_environment_sets_the_log_level(server: Server, level: str, count: int) -> None:
    server.respond(problem(503, {"retry-after-ms": "1"}), response(CONVERSATION))
    source = (
        "from support_chat import SupportChat\n"
        f"client = SupportChat(api_key={API_KEY!r}, base_url={server.url!r})\n"
        "client.conversations.get('conv_1')\n"
        "client.close()"
    )
    assert len(lines_of(source, level).splitlines()) == count


def test_an_unknown_log_level_names_the_known_ones() -> None:
    source = "from support_chat import SupportChat; SupportChat(api_key='k', base_url='http://a')"
    message = "SUPPORT_CHAT_LOG must be one of off, error, warn, info, debug."
    assert message in lines_of(source, "loud")


@pytest.mark.parametrize(("level", "count"), [("debug", 2), ("info", 1), ("off", 0), (None, 2)])
def test_the_level_limits_a_logger_of_the_caller(
    call: Caller, server: Server, caplog: pytest.LogCaptureFixture, level: Any, count: int
) -> None:
    server.respond(response(CONVERSATION))
    logger = logging.getLogger("mine")
    with caplog.at_level(logging.DEBUG, "mine"):
        call(get, logger=logger, log_level=level)
    assert len(caplog.records) == count


BODY: dict[str, Any] = {"items": [{"at": {1, 2}}]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"body": BODY}, r"body.items\[0\].at cannot be written: set is not a type of JSON"),
        ({"body": {"a": float("nan")}}, r"body.a cannot be written: nan is not JSON"),
        ({"body": {"a": "\ud800"}}, r"body.a cannot be written: the text has a lone surrogate"),
        ({"body": {}, "extra_headers": {"x-a": 7}}, r"header.x-a cannot be written: it is int"),
        ({"body": {}, "extra_headers": {"x-a": API_KEY.encode()}}, r"header.x-a .*: it is bytes"),
    ],
)
def test_says_what_cannot_be_written(
    call: Caller, server: Server, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(SupportChatError, match=message) as caught:
        call(lambda client: client.request("POST", "/v1/things", **options))
    assert caught.value.outcome == "not_sent"
    assert API_KEY not in str(caught.value)
    assert server.requests == []


@pytest.mark.parametrize(
    "options",
    [{"extra_headers": {"x-a": 7}}, {"extra_headers": {"x-a": "\n"}}, {"idempotency_key": ""}],
)
def test_no_local_variable_of_a_refused_call_shows_the_key(options: dict[str, Any]) -> None:
    """Tools that report errors print the variables of every frame."""
    with SupportChat(api_key=API_KEY, base_url=BASE_URL) as client:
        with pytest.raises(SupportChatError) as caught:
            client.request("POST", "/v1/things", **options)
        shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
        assert API_KEY not in "".join(shown.format())


def test_a_client_is_copied_but_never_pickled(construct: Callable[..., Any]) -> None:
    client = construct(api_key=API_KEY, base_url=BASE_URL)
    assert repr(copy.copy(client)) == repr(client)
    for one in (client, client.conversations, client.with_options(timeout=5)):
        with pytest.raises(TypeError, match="holds the API key"):
            pickle.dumps(one)
