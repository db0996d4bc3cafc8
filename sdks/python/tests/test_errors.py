from __future__ import annotations

import pickle
from typing import Any

import pytest

import support_chat as sdk
from support import Caller, Server, problem, response


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


PROBLEM = {
    "type": "about:blank",
    "title": "Unprocessable",
    "status": 422,
    "detail": "One part of the request is not acceptable.",
    "code": "validation_failed",
    "request_id": "req_1",
}


def reason(**fields: str) -> dict[str, str]:
    return {"in": "query", "code": "maximum", **fields}


@pytest.mark.parametrize(
    ("reasons", "text"),
    [
        ([], "One part of the request is not acceptable."),
        ([7, {}, {"message": 3}], "One part of the request is not acceptable."),
        ([reason(parameter="limit", message="must be <= 100")], "limit must be <= 100"),
        ([reason(parameter="limit", message="limit is odd")], "limit is odd"),
        ([reason(pointer="/a/b", message="is odd")], "a/b is odd"),
        ([reason(pointer="", message="is odd")], "body is odd"),
        ([reason(detail="is odd")], "is odd"),
        (
            [reason(parameter=name, message="is odd") for name in "abcdefg"],
            "a is odd; b is odd; c is odd; and 4 more",
        ),
    ],
)
def test_a_message_has_the_first_reasons(
    call: Caller, server: Server, reasons: list[Any], text: str
) -> None:
    server.respond(response({**PROBLEM, "errors": reasons}, 422))
    with pytest.raises(sdk.UnprocessableEntityError) as caught:
        call(get)
    request = "(GET /v1/conversations/conv_1, request req_1)"
    assert str(caught.value) == f"422 validation_failed: {text} {request}"


def test_reasons_are_read_where_the_message_is(call: Caller, server: Server) -> None:
    wrapped = {**PROBLEM, "errors": [reason(pointer="/", message="is odd")]}
    server.respond(response({"error": wrapped}, 422))
    with pytest.raises(
        sdk.UnprocessableEntityError, match=r"422 validation_failed: body is odd \("
    ):
        call(get)


def test_the_problem_is_typed(call: Caller, server: Server) -> None:
    listed = [reason(parameter="limit", message="must be <= 100")]
    server.respond(response({**PROBLEM, "errors": listed}, 422))
    with pytest.raises(sdk.APIError) as caught:
        call(get)
    assert isinstance(caught.value.problem, sdk.Model)
    assert caught.value.problem.to_dict() == {**PROBLEM, "errors": listed}
    assert caught.value.body == {**PROBLEM, "errors": listed}
    server.respond(response(b"sorry", 500))
    with pytest.raises(sdk.ServerError) as text:
        call(get, max_retries=0)
    assert text.value.problem is None


def test_an_unreadable_response_is_on_its_error(call: Caller, server: Server) -> None:
    server.respond(response(b"<html>", headers={"x-request-id": "req_1"}))
    with pytest.raises(sdk.InvalidResponseError) as caught:
        call(get)
    error = caught.value
    assert (error.status, error.body, error.request_id) == (200, "<html>", "req_1")
    assert error.headers["content-type"] == "application/json"
    assert "html" not in repr(error)
    assert pickle.loads(pickle.dumps(error)).body == "<html>"
    server.respond(response(b"\xff"))
    with pytest.raises(sdk.InvalidResponseError) as caught:
        call(get)
    assert caught.value.body == b"\xff"


def test_a_refused_delivery_has_no_outcome() -> None:
    from support_chat.webhooks import WebhookVerificationError

    assert WebhookVerificationError("missing_secret").outcome is None
