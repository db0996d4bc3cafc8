"""What type checkers know; running it only shows that nothing of it is missing."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from typing_extensions import assert_type

from support import API_KEY
from support_chat import (
    AsyncPage,
    AsyncSupportChat,
    Conversation,
    ConversationSummary,
    Message,
    Page,
    RawResponse,
    Source,
    SupportChat,
)

BODY = {"data": [], "id": "x"}


def respond(_: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(200, json=BODY)


@pytest.fixture
def client() -> SupportChat:
    http = httpx2.Client(transport=httpx2.MockTransport(respond))
    return SupportChat(api_key=API_KEY, base_url="http://a.test", http_client=http)


def test_results_have_types(client: SupportChat) -> None:
    assert_type(client.conversations.list(limit=1), Page[ConversationSummary])
    assert_type(client.conversations.get("id"), Conversation)
    assert_type(client.conversations.messages.create("id", text="Hi"), Message)
    assert_type(client.knowledge.sources.create(type="url", url="x"), Source)
    assert_type(client.request("GET", "/v1/things", Message.from_dict), Message)
    assert_type(client.request("GET", "/v1/things"), Any)
    assert_type(client.with_options(timeout=1), SupportChat)
    for conversation in client.conversations.list():
        assert_type(conversation, ConversationSummary)


def test_raw_results_have_types_too(client: SupportChat) -> None:
    raw = client.conversations.with_raw_response
    assert_type(raw.get("id", timeout=1), RawResponse[Conversation])
    assert_type(raw.list(limit=1), RawResponse[Page[ConversationSummary]])
    sources = client.knowledge.sources.with_raw_response
    assert_type(sources.create(type="text", title="t", text="x"), RawResponse[Source])


async def asynchronous_results_have_types(client: AsyncSupportChat) -> None:
    assert_type(await client.conversations.list(), AsyncPage[ConversationSummary])
    assert_type(await client.conversations.get("id"), Conversation)
    raw = client.conversations.with_raw_response
    assert_type(await raw.list(), RawResponse[AsyncPage[ConversationSummary]])
    assert_type(await raw.get("id"), RawResponse[Conversation])
    async for conversation in client.conversations.list():
        assert_type(conversation, ConversationSummary)
