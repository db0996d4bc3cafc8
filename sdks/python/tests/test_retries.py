from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from support import API_KEY, Caller, Server, problem, reply, reset
from support_chat import (
    APIConnectionError,
    APIError,
    AsyncSupportChat,
    Operation,
    RateLimitError,
    ServerError,
    SupportChat,
)
from support_chat._core import clock

TEN_O_CLOCK = 1_772_791_200.0  # 2026-03-06T10:00:00Z


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
def test_repeats_a_get(call: Caller, server: Server, sleeps: list[float], status: int) -> None:
    server.answer(problem(status), problem(status), reply({"conversation_volume": 1}))
    assert call(lambda client: client.analytics.get()).conversation_volume == 1
    assert sleeps == [0.5, 1.0]
    assert server.requests == [server.requests[0]] * 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500, 501])
def test_does_not_repeat_a_get(
    call: Caller, server: Server, sleeps: list[float], status: int
) -> None:
    server.answer(problem(status))
    with pytest.raises(APIError):
        call(lambda client: client.analytics.get())
    assert len(server.requests) == 1
    assert sleeps == []


def test_repeats_a_get_after_a_broken_connection(
    call: Caller, server: Server, sleeps: list[float]
) -> None:
    server.answer(reset, reply())
    call(lambda client: client.analytics.get())
    assert len(server.requests) == 2
    assert sleeps == [0.5]


def test_repeats_a_post_after_429_with_the_same_body_and_key(
    call: Caller, server: Server, sleeps: list[float]
) -> None:
    server.answer(problem(429), problem(429), reply({"id": "msg_1"}, 201))
    call(lambda client: client.conversations.messages.create("conv_1", text="Hi"))
    assert sleeps == [0.5, 1.0]
    assert server.requests == [server.requests[0]] * 3
    assert server.requests[0].headers["idempotency-key"]


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504])
def test_does_not_repeat_a_post(
    call: Caller, server: Server, sleeps: list[float], status: int
) -> None:
    server.answer(problem(status))
    with pytest.raises(APIError) as caught:
        call(lambda client: client.conversations.messages.create("conv_1", text="Hi"))
    assert caught.value.outcome == "unknown"
    assert len(server.requests) == 1
    assert sleeps == []


def test_does_not_repeat_a_post_that_may_have_arrived(
    call: Caller, server: Server, sleeps: list[float]
) -> None:
    server.answer(reset)
    with pytest.raises(APIConnectionError) as caught:
        call(lambda client: client.conversations.messages.create("conv_1", text="Hi"))
    assert caught.value.outcome == "unknown"
    assert len(server.requests) == 1


def test_repeats_a_post_like_a_get_where_the_contract_says_that_it_has_no_second_effect(
    call: Caller, server: Server, sleeps: list[float]
) -> None:
    server.answer(problem(503), reset, reply({"ok": True}))
    operation = Operation(repeatable=True, idempotency_header="Idempotency-Key")
    arguments = {"body": {}, "operation": operation}
    assert call(lambda client: client.request("POST", "/v1/things", **arguments)) == {"ok": True}
    assert len({request.headers["idempotency-key"] for request in server.requests}) == 1
    assert len(server.requests) == 3


def test_doubles_the_delay_up_to_its_limit_and_takes_off_up_to_a_quarter(
    call: Caller, server: Server, sleeps: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "random", lambda: 0.0)
    server.answer(problem(503))
    with pytest.raises(ServerError):
        call(lambda client: client.analytics.get(max_retries=6))
    assert sleeps == [0.375, 0.75, 1.5, 3, 6, 6]
    assert len(server.requests) == 7


def test_can_be_switched_off_for_a_client_and_for_a_call(
    call: Caller, server: Server, sleeps: list[float]
) -> None:
    server.answer(problem(503))
    for do in (
        lambda client: client.analytics.get(max_retries=0),
        lambda client: client.with_options(max_retries=0).analytics.get(),
    ):
        with pytest.raises(ServerError):
            call(do)
    assert len(server.requests) == 2
    assert sleeps == []


@pytest.mark.parametrize(
    ("headers", "delay"),
    [
        ({"retry-after": "3"}, 3),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "0"}, 0),
        ({"retry-after": "60"}, 60),
        ({"retry-after-ms": "120", "retry-after": "3"}, 0.12),
        ({"retry-after-ms": "soon", "retry-after": "3"}, 3),
        ({"retry-after-ms": "-5", "retry-after": "3"}, 3),
        ({"retry-after": "Fri, 06 Mar 2026 10:00:05 GMT"}, 5),
        ({"retry-after": "Friday, 06-Mar-26 10:00:05 GMT"}, 5),
        ({"retry-after": "Fri, 06 Mar 2026 09:59:59 GMT"}, 0.5),
        ({"retry-after": "Fri, 99 Mar 2026 10:00:05 GMT"}, 0.5),
        ({"retry-after": "-1"}, 0.5),
        ({"retry-after": "1e1"}, 0.5),
        ({"retry-after": "soon"}, 0.5),
        ({"retry-after": "2026-03-06"}, 0.5),
        ({"retry-after": ""}, 0.5),
    ],
)
def test_waits_as_the_service_says(
    call: Caller,
    server: Server,
    sleeps: list[float],
    stop_clock: Callable[[float], None],
    headers: dict[str, str],
    delay: float,
) -> None:
    stop_clock(TEN_O_CLOCK)
    server.answer(problem(429, headers), reply())
    call(lambda client: client.analytics.get())
    assert sleeps == [delay]


@pytest.mark.parametrize(
    ("headers", "retry_after"),
    [
        ({"retry-after": "61"}, 61),
        ({"retry-after-ms": "60001"}, 60.001),
        ({"retry-after": "Fri, 06 Mar 2026 10:02:00 GMT"}, 120),
    ],
)
def test_fails_at_once_when_asked_to_wait_for_more_than_a_minute(
    call: Caller,
    server: Server,
    sleeps: list[float],
    stop_clock: Callable[[float], None],
    headers: dict[str, str],
    retry_after: float,
) -> None:
    stop_clock(TEN_O_CLOCK)
    server.answer(problem(429, headers))
    with pytest.raises(RateLimitError) as caught:
        call(lambda client: client.analytics.get())
    assert caught.value.retry_after == retry_after
    assert sleeps == []
    assert len(server.requests) == 1


def test_raises_the_last_failure(call: Caller, server: Server, sleeps: list[float]) -> None:
    server.answer(reset, problem(502), problem(503))
    with pytest.raises(ServerError) as caught:
        call(lambda client: client.analytics.get())
    assert (caught.value.status, caught.value.retry_after) == (503, None)
    assert sleeps == [0.5, 1.0]


def test_stops_waiting_when_the_task_is_cancelled(server: Server) -> None:
    server.answer(problem(503, {"retry-after": "60"}))

    async def main() -> None:
        async with AsyncSupportChat(api_key=API_KEY, base_url=server.url) as client:
            task = asyncio.create_task(client.analytics.get())
            while not server.requests:
                await asyncio.sleep(0.005)
            await asyncio.sleep(0.02)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert len(server.requests) == 1


def test_stops_waiting_when_the_user_interrupts(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(clock, "sleep", interrupt)
    server.answer(problem(503))
    with (
        SupportChat(api_key=API_KEY, base_url=server.url) as client,
        pytest.raises(KeyboardInterrupt),
    ):
        client.analytics.get()
    assert len(server.requests) == 1
