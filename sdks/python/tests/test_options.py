from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from support import API_KEY, Caller, Server, response
from support_chat import AsyncSupportChat, SupportChat, SupportChatError

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
        return clones[0].analytics.get()

    call(other_key)
    assert isinstance(clones[0], SupportChat | AsyncSupportChat)
    assert server.requests[0].headers["authorization"] == "Bearer sk_other"


def test_a_clone_shares_the_connections_and_leaves_them_open(server: Server) -> None:
    server.respond(response())
    with SupportChat(api_key=API_KEY, base_url=server.url) as client:
        with client.with_options(max_retries=0) as clone:
            clone.analytics.get()
        client.analytics.get()
    assert server.connections == 1


def test_takes_nothing_but_keyword_arguments(construct: Callable[..., Any]) -> None:
    with pytest.raises(TypeError):
        construct(API_KEY, BASE_URL)


def test_leaves_an_http_client_open_that_it_was_given() -> None:
    http = httpx2.Client(transport=httpx2.MockTransport(lambda _: httpx2.Response(200, json={})))
    with SupportChat(api_key=API_KEY, base_url=BASE_URL, http_client=http) as client:
        client.analytics.get()
    assert not http.is_closed
    http.close()
    closed = SupportChat(api_key=API_KEY, base_url=BASE_URL)
    closed.close()
    with pytest.raises(RuntimeError, match="closed"):
        closed.analytics.get()
