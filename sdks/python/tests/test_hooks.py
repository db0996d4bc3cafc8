from __future__ import annotations

import logging
from collections.abc import Generator
from typing import Any

import pytest

from support import CONVERSATION, Caller, Server, problem, reset, response
from support_chat import APIConnectionError, Attempt, HTTPResponse

REQUEST = ("GET", "/v1/conversations/{id}", "/v1/conversations/conv_1")


def get(client: Any) -> Any:
    return client.conversations.get("conv_1")


def test_logs_every_attempt(
    call: Caller, server: Server, sleeps: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    server.respond(problem(503), reset, response(CONVERSATION))
    with caplog.at_level(logging.DEBUG, "support_chat"):
        call(get)
    records: list[Any] = [record for record in caplog.records if record.name == "support_chat"]
    for record in records:
        assert (record.method, record.template, record.path) == REQUEST
    assert [(record.levelname, record.retry) for record in records] == [
        ("DEBUG", 0),
        ("INFO", 0),
        ("WARNING", 0),
        ("DEBUG", 1),
        ("WARNING", 1),
        ("DEBUG", 2),
        ("INFO", 2),
    ]
    assert records[0].headers["authorization"] == "[redacted]"
    assert (records[1].status, records[1].request_id) == (503, "req_1")
    assert records[1].duration >= 0
    assert (records[2].delay, records[4].delay) == (0.5, 1.0)
    line = "retry in 0.500 s after status 503: GET /v1/conversations/conv_1"
    assert records[2].getMessage() == line
    assert "reset" in records[4].reason
    assert records[6].getMessage() == "200: GET /v1/conversations/conv_1"


def test_logs_to_a_logger_of_the_callers_own(call: Caller, server: Server) -> None:
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    logger = logging.Logger("mine", logging.INFO)
    logger.addHandler(Lines())
    server.respond(response(CONVERSATION))
    call(get, logger=logger)
    assert lines == ["200: GET /v1/conversations/conv_1"]


def test_a_log_handler_cannot_fail_a_call(call: Caller, server: Server) -> None:
    class Full(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raise OSError("disk full")

    logger = logging.Logger("mine")
    logger.addHandler(Full())
    server.respond(response({"id": "conv_1"}))
    assert call(get, logger=logger).id == "conv_1"


def test_warns_nobody_who_did_not_ask(
    server: Server, sleeps: list[float], capfd: pytest.CaptureFixture[str]
) -> None:
    server.respond(problem(503), response())
    Caller("sync", server.url)(get)
    assert capfd.readouterr() == ("", "")


def test_traces_every_attempt_and_sees_what_came_back(
    call: Caller, server: Server, sleeps: list[float]
) -> None:
    seen: list[Any] = []

    def trace(attempt: Attempt) -> Generator[None, HTTPResponse, None]:
        about = (attempt.method, attempt.template, attempt.path)
        try:
            result = yield
        except APIConnectionError as error:
            seen.append((about, attempt.retry, type(error)))
        else:
            seen.append((about, attempt.retry, result.status, result.request_id))

    server.respond(problem(503), reset, response())
    call(get, trace=trace)
    assert seen == [
        (REQUEST, 0, 503, "req_1"),
        (REQUEST, 1, APIConnectionError),
        (REQUEST, 2, 200, None),
    ]


def returns_early(_: Attempt) -> Generator[None, HTTPResponse, None]:
    return
    yield


def never_ends(_: Attempt) -> Generator[None, HTTPResponse, None]:
    while True:
        yield


def raises(_: Attempt) -> Generator[None, HTTPResponse, None]:
    raise RuntimeError("no tracer")
    yield


def raises_afterwards(_: Attempt) -> Generator[None, HTTPResponse, None]:
    yield
    raise RuntimeError("no exporter")


def is_no_generator(_: Attempt) -> Any:
    return 7


@pytest.mark.parametrize(
    "trace", [returns_early, never_ends, raises, raises_afterwards, is_no_generator]
)
def test_a_hook_that_misbehaves_changes_nothing(call: Caller, server: Server, trace: Any) -> None:
    server.respond(response({"id": "conv_1"}))
    assert call(get, trace=trace).id == "conv_1"
    assert len(server.requests) == 1


def test_a_hook_cannot_hide_a_failure(call: Caller, server: Server) -> None:
    ended: list[str] = []

    def trace(_: Attempt) -> Generator[None, HTTPResponse, None]:
        try:
            yield
        except APIConnectionError:
            ended.append("seen")

    server.respond(reset)
    with pytest.raises(APIConnectionError):
        call(get, trace=trace, max_retries=0)
    assert ended == ["seen"]
