from __future__ import annotations

import pickle
import traceback
from typing import Any

import pytest

import support_chat as sdk
from support import API_KEY, Caller, Server, problem, reply


def get(client: Any) -> Any:
    return client.conversations.get("conv_1")


@pytest.mark.parametrize(
    ("status", "kind", "outcome"),
    [
        (400, sdk.BadRequestError, "rejected"),
        (401, sdk.AuthenticationError, "rejected"),
        (403, sdk.PermissionDeniedError, "rejected"),
        (404, sdk.NotFoundError, "rejected"),
        (408, sdk.APIError, "unknown"),
        (405, sdk.APIError, "rejected"),
        (409, sdk.ConflictError, "rejected"),
        (422, sdk.UnprocessableEntityError, "rejected"),
        (429, sdk.RateLimitError, "rejected"),
        (500, sdk.ServerError, "unknown"),
        (503, sdk.ServerError, "unknown"),
        (599, sdk.ServerError, "unknown"),
    ],
)
def test_raises_for_a_status_its_own_class(
    call: Caller, server: Server, status: int, kind: type[sdk.APIError], outcome: str
) -> None:
    server.answer(problem(status, {"retry-after": "2"}))
    with pytest.raises(sdk.SupportChatError) as caught:
        call(get, max_retries=0)
    error = caught.value
    assert type(error) is kind
    assert isinstance(error, sdk.APIError)
    assert (error.status, error.outcome, error.code) == (status, outcome, "some_code")
    assert (error.request_id, error.retry_after) == ("req_1", 2)
    assert error.headers["Retry-After"] == "2"
    assert isinstance(error.body, dict)
    assert error.body["title"] == "Title"
    assert error.message == str(error)
    assert str(error) == (
        f"{status} some_code: What is wrong. (GET /v1/conversations/conv_1, request req_1)"
    )


@pytest.mark.parametrize(
    ("answer", "message", "body"),
    [
        (
            reply(b"<h1>Bad\ngateway</h1>", 502),
            "502: <h1>Bad\ngateway</h1> (GET /v1/conversations/conv_1)",
            "<h1>Bad\ngateway</h1>",
        ),
        (reply(b"", 500), "500 (GET /v1/conversations/conv_1)", ""),
        (
            reply({"error": {"code": "c", "message": "m"}}, 400),
            "400 c: m (GET /v1/conversations/conv_1)",
            {"error": {"code": "c", "message": "m"}},
        ),
        (reply([1], 400), "400 (GET /v1/conversations/conv_1)", [1]),
        (reply(b"null", 404), "404 (GET /v1/conversations/conv_1)", None),
        (reply({"detail": 1, "code": 2}, 404), "404 (GET /v1/conversations/conv_1)", None),
        (
            reply(b"x" * 10_000, 500),
            f"500: {'x' * 300} (GET /v1/conversations/conv_1)",
            "x" * 10_000,
        ),
    ],
)
def test_describes_any_body(
    call: Caller, server: Server, answer: bytes, message: str, body: object
) -> None:
    server.answer(answer)
    with pytest.raises(sdk.APIError) as caught:
        call(get, max_retries=0)
    assert str(caught.value) == message
    if body is not None:
        assert caught.value.body == body
    assert (caught.value.request_id, caught.value.retry_after) == (None, None)


def test_never_shows_a_key_or_all_headers_even_when_the_service_repeats_the_key(
    call: Caller, server: Server
) -> None:
    headers = {"set-cookie": "session=1", "x-echo": API_KEY}
    server.answer(reply({"detail": f"{API_KEY} is unknown"}, 401, headers))
    with pytest.raises(sdk.AuthenticationError) as caught:
        call(lambda client: client.conversations.get(API_KEY))
    assert str(caught.value) == ("401: [redacted] is unknown (GET /v1/conversations/[redacted])")
    for shown in (repr(caught.value), "".join(traceback.format_exception(caught.value))):
        assert API_KEY not in shown
        assert "session=1" not in shown


def test_leaves_the_query_out_of_the_message(call: Caller, server: Server) -> None:
    server.answer(problem(400))
    with pytest.raises(sdk.BadRequestError) as caught:
        call(lambda client: client.conversations.list(cursor="private"))
    assert "private" not in str(caught.value)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_does_not_follow_a_redirect_and_names_only_where_it_leads(
    call: Caller, server: Server, status: int
) -> None:
    server.answer(reply(b"", status, {"location": "https://other.test:81/path?token=secret"}))
    with pytest.raises(sdk.APIError) as caught:
        call(get)
    assert type(caught.value) is sdk.APIError
    assert (caught.value.status, caught.value.outcome) == (status, "rejected")
    assert str(caught.value) == (
        f"{status}: redirect to https://other.test:81, not followed (GET /v1/conversations/conv_1)"
    )
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("location", "target"),
    [("/elsewhere?a=b", "{url}"), ("http://user:word@other.test/", "http://other.test")],
)
def test_names_the_origin_of_any_redirect(
    call: Caller, server: Server, location: str, target: str
) -> None:
    server.answer(reply(b"", 302, {"location": location}))
    with pytest.raises(sdk.APIError, match="not followed") as caught:
        call(get)
    assert f"redirect to {target.format(url=server.url)}, not" in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [b'{"id":', b"", b"<html></html>", b'{"id": NaN}', b"\xff", b"[" * 100_000],
)
def test_raises_for_a_success_that_is_not_json(call: Caller, server: Server, body: bytes) -> None:
    server.answer(reply(body, headers={"x-request-id": "req_2"}))
    with pytest.raises(sdk.InvalidResponseError) as caught:
        call(get)
    error = caught.value
    assert not isinstance(error, sdk.APIError)
    assert (error.outcome, error.request_id) == ("unknown", "req_2")
    assert str(error) == ("200: the body is not JSON (GET /v1/conversations/conv_1, request req_2)")
    assert len(server.requests) == 1


@pytest.mark.parametrize("body", [[], "text", 1])
def test_raises_for_a_success_that_is_no_object(call: Caller, server: Server, body: Any) -> None:
    server.answer(reply(body))
    with pytest.raises(sdk.InvalidResponseError):
        call(get)


def test_errors_can_be_pickled(call: Caller, server: Server) -> None:
    server.answer(problem(429, {"retry-after": "61"}))
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
