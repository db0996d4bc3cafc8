"""Mocks of the API inside a test, and objects for it."""

from __future__ import annotations

import asyncio
import datetime as dt
import inspect
import json
import re
from typing import Any

import httpx2
import pytest
from typing_extensions import assert_type

from support_chat import (
    AsyncSupportChat,
    Conversation,
    NotFoundError,
    RateLimitError,
    ServerError,
    SupportChat,
    SupportChatError,
)
from support_chat._generated.mocks import FAILURES, MOCKS
from support_chat.testing import MockAPI, fixtures


@pytest.fixture
def api() -> MockAPI:
    return MockAPI()


@pytest.fixture
def client(api: MockAPI) -> SupportChat:
    return SupportChat(base_url=api.url, api_key="sk_test", http_client=api.http_client())


@pytest.mark.parametrize("text", MOCKS, ids=lambda text: str(json.loads(text)["id"]))
def test_every_operation_has_the_example_of_the_contract(text: str, api: MockAPI) -> None:
    mock = json.loads(text)
    method, _, path = mock["id"].partition(" ")
    with api.http_client() as http:
        response = http.request(method, api.url + re.sub(r"\{.*?\}", "x", path), json={})
    assert response.status_code == mock["status"]
    assert response.headers.get("content-type") == mock["contentType"]
    if isinstance(mock["examples"][0], dict):
        assert response.json().keys() >= mock["examples"][0].keys()


def test_what_is_posted_comes_back(client: SupportChat) -> None:
    before = client.conversations.get("conv_9").transcript
    first = client.conversations.messages.create("conv_9", text="First")
    second = client.conversations.messages.create("conv_9", text="Second")
    assert (first.conversation_id, first.text) == ("conv_9", "First")
    assert first.id != second.id
    conversation = client.conversations.get("conv_9")
    assert conversation.id == "conv_9"
    assert conversation.transcript == [*before, first, second]
    assert client.conversations.get("conv_8").transcript == before


def test_reset_forgets_everything(api: MockAPI, client: SupportChat) -> None:
    before = client.conversations.get("conv_9")
    client.conversations.messages.create("conv_9", text="First")
    api.fail(500)
    api.reset()
    assert api.requests == []
    assert client.conversations.get("conv_9") == before


def test_the_requests_are_kept(api: MockAPI, client: SupportChat) -> None:
    client.conversations.messages.create("conv_9", text="Hi")
    [request] = api.requests
    assert (request.method, request.url.path) == ("POST", "/v1/conversations/conv_9/messages")
    assert json.loads(request.content) == {"text": "Hi"}


def test_a_failure_is_retried_after_the_time_that_it_tells(
    api: MockAPI, client: SupportChat, sleeps: list[float]
) -> None:
    api.fail(429, retry_after=2, times=1)
    api.fail(503, retry_after=0.5, times=1)
    assert client.conversations.get("conv_9").id == "conv_9"
    assert sleeps == [0.5, 2]


def test_a_failure_has_the_problem_of_the_contract(api: MockAPI, client: SupportChat) -> None:
    api.fail(429, operation="GET /v1/conversations/{id}", body={"detail": "Slowly."})
    with pytest.raises(RateLimitError, match=r"Slowly\.") as caught:
        client.with_options(max_retries=0).conversations.get("conv_9")
    assert caught.value.request_id == caught.value.problem.request_id  # type: ignore[union-attr]
    client.analytics.get()
    api.fail(507)
    with pytest.raises(ServerError, match="507"):
        client.analytics.get()


@pytest.mark.parametrize("text", FAILURES)
def test_every_failure_of_the_contract_is_an_error(
    text: str, api: MockAPI, client: SupportChat
) -> None:
    status = json.loads(text)["status"]
    api.fail(status)
    with pytest.raises(SupportChatError) as caught:
        client.with_options(max_retries=0).analytics.get()
    assert getattr(caught.value, "status", None) == status


def test_an_operation_responds_with_a_fixture(api: MockAPI, client: SupportChat) -> None:
    open_one = fixtures.conversation(status="open", handoff=None)
    api.respond("GET /v1/conversations/{id}", open_one)
    assert client.conversations.get("conv_9") == open_one
    ids: list[str] = []

    def answer(request: httpx2.Request) -> Any:
        ids.append(request.url.path)
        return httpx2.Response(404) if len(ids) == 1 else {"id": "conv_1"}

    api.respond("GET /v1/conversations/{id}", answer)
    with pytest.raises(NotFoundError):
        client.conversations.get("conv_9")
    assert client.conversations.get("conv_9").id == "conv_1"


def test_the_async_client_has_the_same_mock(api: MockAPI) -> None:
    async def main() -> None:
        http = api.async_http_client()
        async with AsyncSupportChat(
            base_url=api.url, api_key="sk_test", http_client=http
        ) as client:
            message = await client.conversations.messages.create("conv_9", text="Hi")
            conversation = await client.conversations.get("conv_9")
            assert conversation.transcript[-1] == message

    asyncio.run(main())


def test_a_path_that_the_contract_does_not_have_is_not_found(
    api: MockAPI, client: SupportChat
) -> None:
    with pytest.raises(NotFoundError, match="The contract has no GET /v1/nothing"):
        client.request("GET", "/v1/nothing")


@pytest.mark.parametrize(
    "call",
    [
        lambda api: api.respond("GET /nothing", {}),
        lambda api: api.fail(500, operation="GET /nothing"),
        lambda api: api.fail(200),
        lambda api: api.fail(500, times=-1),
        lambda api: api.fail(500, retry_after=-1),
        lambda api: api.fail(500, body={"rate": float("nan")}),
        lambda api: api.respond("GET /v1/analytics", {"rate": object()}),
    ],
)
def test_a_mistake_is_an_error_at_once(call: Any, api: MockAPI) -> None:
    with pytest.raises(SupportChatError):
        call(api)


def test_a_fixture_is_the_example_with_changes() -> None:
    conversation = fixtures.conversation(status="open", handoff={"reason": "A refund."})
    assert_type(conversation, Conversation)
    assert conversation.status == "open"
    assert conversation.handoff
    assert conversation.handoff.reason == "A refund."
    assert isinstance(conversation.created_at, dt.datetime)
    at = dt.datetime(2026, 1, 2, tzinfo=dt.timezone.utc)
    assert fixtures.message(created_at=at, author=fixtures.author(name=None)).created_at == at
    with pytest.raises(SupportChatError, match="JSON"):
        fixtures.conversation(status=object())
    with pytest.raises(TypeError, match=r"no field 'state'\. Fields: id, status"):
        fixtures.conversation(state="open")


def test_every_object_of_a_response_has_a_fixture() -> None:
    made = [
        make()
        for name, make in inspect.getmembers(fixtures, inspect.isfunction)
        if make.__module__ == fixtures.__name__
    ]
    assert len(made) > 5
    for one in made:
        assert type(one).from_dict(one.to_dict()) == one
