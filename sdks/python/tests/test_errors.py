from __future__ import annotations

import pickle
from typing import Any

import pytest

import support_chat as sdk
from support import Caller, Server, problem


def get(client: Any) -> Any:
    return client.conversations.get("conv_1")


def test_has_its_message_and_the_headers_of_the_response(call: Caller, server: Server) -> None:
    server.respond(problem(404, {"x-team": "a"}))
    with pytest.raises(sdk.NotFoundError) as caught:
        call(get)
    assert caught.value.message == str(caught.value)
    assert caught.value.headers["X-Team"] == "a"


def test_errors_can_be_pickled(call: Caller, server: Server) -> None:
    server.respond(problem(429, {"retry-after": "61"}))
    with pytest.raises(sdk.RateLimitError) as caught:
        call(get)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is sdk.RateLimitError
    assert (str(copy), copy.retry_after) == (str(caught.value), 61)
    assert copy.headers == caught.value.headers


def test_the_hierarchy_is_as_it_is_documented() -> None:
    assert sdk.APIError.__bases__ == (sdk.SupportChatError,)
    assert sdk.APIConnectionError.__bases__ == (sdk.SupportChatError,)
    assert sdk.APITimeoutError.__bases__ == (sdk.APIConnectionError,)
    assert sdk.InvalidResponseError.__bases__ == (sdk.SupportChatError,)
    assert sdk.NotFoundError.__bases__ == (sdk.APIError,)
