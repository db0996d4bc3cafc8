"""Responses that do not match the contract."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Mapping
from typing import Any

import pytest

import support_chat as sdk
from support import CONVERSATION, MESSAGE, Caller, Server, response
from support_chat import Mismatch, Model
from support_chat._core.mismatch import faults_of
from support_chat._core.model import model

# What a service sends that has renamed a field, whose old name the contract has.
RENAMED = {"body" if name == "text" else name: value for name, value in MESSAGE.items()}
OLD = {**CONVERSATION, "transcript": [RENAMED]}


def get(client: Any) -> Any:
    return client.conversations.get("conv_1")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]


def test_warns_once_per_field_and_client(
    call: Caller, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    def twice(client: Any) -> Any:
        get(client)
        return get(client.with_options(timeout=3))

    async def twice_async(client: Any) -> Any:
        await get(client)
        return await get(client.with_options(timeout=3))

    server.respond(response(OLD))
    conversation = call(twice_async if call.asynchronous else twice)
    assert conversation.transcript[0].text is None
    assert warnings(caplog) == [
        "Message: missing text; unknown body. Is the client older than the service?"
    ]
    call(get)
    assert len(warnings(caplog)) == 2


def test_tells_a_hook_every_time(call: Caller, server: Server) -> None:
    seen: list[Mismatch] = []

    def note(mismatch: Mismatch) -> None:
        seen.append(mismatch)
        raise RuntimeError("full")

    server.respond(response(OLD, headers={"x-request-id": "req_1"}))
    for _ in range(2):
        assert call(get, on_mismatch=note).id == "conv_1"
    assert seen == 2 * [
        Mismatch(
            model="Message",
            field="text",
            problem="missing",
            unknown=["body"],
            method="GET",
            template="/v1/conversations/{id}",
            request_id="req_1",
        )
    ]


def test_raises_where_the_client_is_strict(call: Caller, server: Server) -> None:
    server.respond(response(OLD, headers={"x-request-id": "req_1"}))
    with pytest.raises(sdk.InvalidResponseError) as caught:
        call(get, strict=True)
    error = caught.value
    assert str(error) == (
        "Message: missing text; unknown body (GET /v1/conversations/conv_1, request req_1)"
    )
    assert (error.status, error.request_id, error.outcome) == (200, "req_1", "unknown")
    assert error.headers["x-request-id"] == "req_1"
    assert isinstance(error.body, str)
    assert '"body"' in error.body
    assert 'body"' not in repr(error)


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({}, {}),
        ({"later": 1}, {}),
        ({"text": None}, {"text": "null"}),
        ({"text": 7}, {"text": "unreadable"}),
        ({"created_at": "soon"}, {"created_at": "unreadable"}),
        ({"author": "Mina"}, {"author": "unreadable"}),
        ({"author": {"type": "robot", "name": None}}, {}),
        ({"author": {"type": "agent"}}, {"name": "missing"}),
        ({"author": {"type": True, "name": 1}}, {"type": "unreadable", "name": "unreadable"}),
    ],
)
def test_compares_every_field(
    call: Caller, server: Server, change: Mapping[str, Any], faults: Mapping[str, str]
) -> None:
    seen: dict[str, str] = {}

    def note(mismatch: Mismatch) -> None:
        seen[mismatch.field] = mismatch.problem

    server.respond(response({**MESSAGE, **change}))
    call(lambda client: client.conversations.messages.create("conv_1", text="Hi"), on_mismatch=note)
    assert seen == faults


@model
class Figures(Model):
    """A model of these tests alone."""

    count: int
    rate: float
    names: list[str]

    @staticmethod
    def _reader(new_draft: Callable[[], Any], cls: Any) -> Callable[[Any], Any]:
        def read(data: Any) -> Any:
            draft = new_draft()
            draft._wire = data
            draft.count = data.get("count")
            draft.rate = data.get("rate")
            draft.names = data.get("names")
            draft.__class__ = cls
            return draft

        return read


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"count": 1, "rate": 0.5, "names": []}, {}),
        ({"count": 1.0, "rate": 1, "names": []}, {}),
        (
            {"count": 1.5, "rate": "1", "names": [7]},
            {"count": "unreadable", "rate": "unreadable", "names": "unreadable"},
        ),
        (
            {"count": True, "rate": 0, "names": {}},
            {"count": "unreadable", "names": "unreadable"},
        ),
    ],
)
def test_numbers_and_lists_have_types(body: Mapping[str, Any], faults: Mapping[str, str]) -> None:
    found = [one.fields for one in faults_of(Figures.from_dict(body))]
    assert found == ([faults] if faults else [])


def test_compares_the_items_of_a_page(call: Caller, server: Server) -> None:
    server.respond(response({"data": [{"id": "a"}], "next_cursor": None, "has_more": False}))
    with pytest.raises(sdk.InvalidResponseError, match="missing status, created_at, updated_at"):
        call(lambda client: client.conversations.list(), strict=True)


def first_page(client: Any) -> Any:
    return client.conversations.list()


def test_compares_a_page_and_keeps_its_items(call: Caller, server: Server) -> None:
    seen: list[tuple[str, str, str]] = []

    def note(mismatch: Mismatch) -> None:
        seen.append((mismatch.model, mismatch.field, mismatch.problem))

    server.respond(response({"data": [5, None, "x"], "has_more": False}))
    assert call(first_page, on_mismatch=note).data == [5, None, "x"]
    assert seen == [
        ("ConversationPage", "data", "unreadable"),
        ("ConversationPage", "next_cursor", "missing"),
    ]
    message = "ConversationPage: missing next_cursor; unreadable data"
    with pytest.raises(sdk.InvalidResponseError, match=message):
        call(first_page, strict=True)


def test_a_call_may_be_strict_or_not(call: Caller, server: Server) -> None:
    def get_as(client: Any, *, strict: bool | None) -> Any:
        return client.conversations.get("conv_1", strict=strict)

    server.respond(response(OLD))
    assert call(functools.partial(get_as, strict=False), strict=True).id == "conv_1"
    for strict, client in ((True, False), (None, True)):
        with pytest.raises(sdk.InvalidResponseError):
            call(functools.partial(get_as, strict=strict), strict=client)
    server.respond(response({"data": []}))
    found = call(lambda client: client.conversations.list(strict=False), strict=True)
    assert found.data == []


def test_a_call_may_have_its_own_hook(call: Caller, server: Server) -> None:
    seen: list[Mismatch] = []
    server.respond(response(OLD))
    call(lambda client: client.conversations.get("conv_1", on_mismatch=seen.append))
    assert [one.field for one in seen] == ["text"]


@pytest.mark.parametrize(
    "time",
    [
        "2026-03-02 09:14:07Z",
        "20260302T091407Z",
        "2026-03-02T09:14:07,5Z",
        "2026-03-02T09:14:07.5Z+01:00",
        "2026-03-02T09:14Z",
        "2026-03-02T09:14:07+0100",
        "2026-03-02T09:14:07+24:00",
        "2026-03-02T09:14:07+01:60",
        "2026-03-02T09:14:07+01:00:30",
        "2026-03-02T09:14:60Z",
        "2026-03-02T24:00:00Z",
        "2026-W10-1T09:14:07Z",
        "2026-03-02T09:14:07",
        "2026-02-30T09:14:07Z",
    ],
)
def test_a_time_has_the_grammar_of_rfc_3339(time: str) -> None:
    assert sdk.Message.read({"created_at": time}).created_at == time


@pytest.mark.parametrize(
    "time", ["2026-03-02t09:14:07z", "2026-03-02T09:14:07.1234567891Z", "2026-03-02T08:14:07-00:59"]
)
def test_a_time_may_have_any_form_of_rfc_3339(time: str) -> None:
    assert sdk.Message.read({"created_at": time}).created_at.tzinfo


def test_a_page_without_a_list_is_no_empty_page(call: Caller, server: Server) -> None:
    bodies: list[Any] = [{}, {"data": None}, {"data": {}}, []]
    for body in bodies:
        server.respond(response(body))
        with pytest.raises(sdk.InvalidResponseError, match='no list under "data"'):
            call(lambda client: client.conversations.list())


def test_a_quiet_log_has_no_mismatch(
    call: Caller, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    server.respond(response(OLD))
    logger = logging.getLogger("quiet")
    call(get, logger=logger, log_level="error")
    assert warnings(caplog) == []
