from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from support import API_KEY, Caller, Server, reply
from support_chat import AsyncSupportChat, SupportChat, SupportChatError

BASE_URL = "http://a.test"


@pytest.fixture(params=[SupportChat, AsyncSupportChat])
def construct(request: pytest.FixtureRequest) -> Callable[..., Any]:
    kind: Callable[..., Any] = request.param
    return kind


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SUPPORT_CHAT_API_KEY", raising=False)
    monkeypatch.delenv("SUPPORT_CHAT_BASE_URL", raising=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"api_key": None}, r"No API key\. Pass api_key or set SUPPORT_CHAT_API_KEY"),
        ({"api_key": ""}, "API key is empty"),
        ({"api_key": "sk_1\n"}, "line break"),
        ({"api_key": "clé"}, "API key"),
        ({"api_key": 7}, "API key"),
        ({"base_url": None}, "SUPPORT_CHAT_BASE_URL.*npx --no support-chat-mock serve"),
        ({"base_url": ""}, "http:// or https://"),
        ({"base_url": "/api"}, "http:// or https://"),
        ({"base_url": "localhost:4010"}, "http://"),
        ({"base_url": "http://"}, "host"),
        ({"base_url": "http://[::1"}, "host"),
        ({"base_url": "http://a b.test"}, "host"),
        ({"base_url": "http://a.test\n/x"}, "host"),
        ({"base_url": "http://a.test:port"}, "host"),
        ({"base_url": "ftp://a.test"}, "http://"),
        ({"base_url": "http://u:p@a.test"}, "password"),
        ({"base_url": "http://a.test?a=1"}, "query"),
        ({"base_url": "http://a.test#a"}, "fragment"),
        ({"base_url": "http://a.test/v1"}, r"Use http://a\.test without it"),
        ({"base_url": "http://a.test/v1/"}, r"Use http://a\.test without it"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": float("inf")}, "timeout"),
        ({"timeout": True}, "timeout"),
        ({"timeout": None}, "timeout"),
        ({"timeout": "1"}, "timeout"),
        ({"max_retries": 0.5}, "max_retries"),
        ({"max_retries": -1}, "max_retries"),
        ({"max_retries": True}, "max_retries"),
    ],
)
def test_refuses_a_bad_option_before_anything_is_sent(
    construct: Callable[..., Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(SupportChatError, match=message) as caught:
        construct(**{"api_key": API_KEY, "base_url": BASE_URL, **options})
    assert caught.value.outcome == "not_sent"


def test_never_quotes_a_value_that_may_be_a_key_in_the_wrong_place(
    construct: Callable[..., Any],
) -> None:
    for options in (
        {"base_url": API_KEY, "api_key": BASE_URL},
        {"base_url": BASE_URL, "api_key": f"{API_KEY}\n"},
    ):
        with pytest.raises(SupportChatError) as caught:
            construct(**options)
        assert API_KEY not in str(caught.value)


def test_takes_what_is_left_out_from_the_environment(
    call: Caller, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUPPORT_CHAT_API_KEY", "sk_env")
    monkeypatch.setenv("SUPPORT_CHAT_BASE_URL", f"{server.url}/")
    server.answer(reply())
    call(lambda client: client.analytics.get(), api_key=None, base_url=None)
    assert server.targets() == ["/v1/analytics"]
    assert server.requests[0].headers["authorization"] == "Bearer sk_env"


def test_counts_a_blank_environment_variable_as_unset(
    construct: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUPPORT_CHAT_API_KEY", "  ")
    with pytest.raises(SupportChatError, match="No API key"):
        construct(base_url=BASE_URL)


def test_lets_an_option_win_over_the_environment_a_bad_one_too(
    construct: Callable[..., Any],
    call: Caller,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SUPPORT_CHAT_API_KEY", "sk_env")
    monkeypatch.setenv("SUPPORT_CHAT_BASE_URL", BASE_URL)
    server.answer(reply())
    call(lambda client: client.analytics.get())
    assert server.requests[0].headers["authorization"] == f"Bearer {API_KEY}"
    with pytest.raises(SupportChatError, match="API key is empty"):
        construct(api_key="")


def test_ignores_trailing_slashes_and_keeps_a_path_of_its_own(call: Caller, server: Server) -> None:
    server.answer(reply())
    call(lambda client: client.analytics.get(), base_url=f"{server.url}/chat//")
    assert server.targets() == ["/chat/v1/analytics"]


def test_makes_clones_that_differ_in_nothing_but_the_given_options(
    call: Caller, server: Server
) -> None:
    server.answer(reply())
    clones = []

    def other_key(client: Any) -> Any:
        clones.append(client.with_options(api_key="sk_other"))
        return clones[0].analytics.get()

    call(other_key)
    assert isinstance(clones[0], SupportChat | AsyncSupportChat)
    assert server.requests[0].headers["authorization"] == "Bearer sk_other"


def test_a_clone_shares_the_connections_and_leaves_them_open(server: Server) -> None:
    server.answer(reply())
    with SupportChat(api_key=API_KEY, base_url=server.url) as client:
        with client.with_options(max_retries=0) as clone:
            clone.analytics.get()
        client.analytics.get()
    assert server.connections == 1


def test_shows_its_key_nowhere(construct: Callable[..., Any]) -> None:
    client = construct(api_key=API_KEY, base_url=BASE_URL)
    assert repr(client) == f"{construct.__name__}(base_url='http://a.test')"
    assert API_KEY not in f"{client!r}{client} {client._settings!r}"


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
