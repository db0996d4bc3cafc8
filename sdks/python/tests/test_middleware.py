from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from support import API_KEY, CONVERSATION, Caller, Server, problem, reset, response
from support_chat import APITimeoutError, AsyncSupportChat, Attempt, SupportChat, SupportChatError


def get(client: Any, **options: Any) -> Any:
    return client.conversations.get("conv_1", **options)


def for_both(call: Caller, before: Callable[[httpx2.Request], Any], after: Any = None) -> Any:
    """Return middleware of the right kind that runs a function before and one after."""
    if not call.asynchronous:

        def middleware(request: httpx2.Request, next: Callable[..., Any]) -> httpx2.Response:
            received: httpx2.Response = before(request) or next(request)
            return (after and after(received)) or received

        return middleware

    async def middleware_async(
        request: httpx2.Request, next: Callable[..., Any]
    ) -> httpx2.Response:
        received: httpx2.Response = before(request) or await next(request)
        return (after and after(received)) or received

    return middleware_async


def test_wraps_every_attempt_in_order(call: Caller, server: Server, sleeps: list[float]) -> None:
    server.respond(problem(503), response(CONVERSATION))
    seen: list[Any] = []

    def note(name: str, request: httpx2.Request) -> None:
        attempt: Attempt = request.extensions["support_chat"]
        seen.append((name, attempt.retry))
        assert attempt.operation == "conversations.get"
        assert (attempt.method, attempt.path) == ("GET", "/v1/conversations/conv_1")
        assert attempt.template == "/v1/conversations/{id}"
        assert request.headers["authorization"] == f"Bearer {API_KEY}"

    both = [for_both(call, functools.partial(note, name)) for name in ("outer", "inner")]
    assert call(get, middleware=both).id == "conv_1"
    assert seen == [("outer", 0), ("inner", 0), ("outer", 1), ("inner", 1)]


def test_those_of_a_call_are_closer_to_the_wire(call: Caller, server: Server) -> None:
    server.respond(response(CONVERSATION))
    seen: list[str] = []

    def note(name: str, request: httpx2.Request) -> None:
        seen.append(name)

    of_client, of_call = (
        [for_both(call, functools.partial(note, one)) for one in names] for names in ("ab", "cd")
    )
    call(lambda c: c.conversations.get("conv_1", middleware=of_call), middleware=of_client)
    assert seen == ["a", "b", "c", "d"]
    seen.clear()
    server.respond(response({"data": [], "next_cursor": None, "has_more": False}))
    call(lambda c: c.conversations.list(middleware=of_call, status=None), middleware=of_client)
    assert seen == ["a", "b", "c", "d"]
    for wrong in (7, [7]):
        with pytest.raises(SupportChatError, match="middleware must be callable"):
            call(functools.partial(get, middleware=wrong))


def test_sees_the_attempt_of_a_request_made_anew(call: Caller, server: Server) -> None:
    seen: list[Attempt] = []

    def anew(request: httpx2.Request, next: Callable[..., Any]) -> Any:
        return next(httpx2.Request("GET", f"{server.url}/v1/other"))

    def note(request: httpx2.Request) -> None:
        seen.append(request.extensions["support_chat"])

    server.respond(response(CONVERSATION))
    call(get, middleware=[anew, for_both(call, note)])
    assert [one.template for one in seen] == ["/v1/conversations/{id}"]


def test_may_change_the_request_and_the_response(call: Caller, server: Server) -> None:
    def stamp(request: httpx2.Request) -> None:
        request.headers["x-team"] = "a"

    def rename(received: httpx2.Response) -> httpx2.Response:
        return httpx2.Response(200, json={**CONVERSATION, "id": "conv_2"})

    server.respond(response(CONVERSATION))
    assert call(get, middleware=[for_both(call, stamp, rename)]).id == "conv_2"
    assert server.requests[0].headers["x-team"] == "a"


def test_may_replace_the_request(server: Server) -> None:
    def elsewhere(request: httpx2.Request, next: Callable[..., Any]) -> httpx2.Response:
        received: httpx2.Response = next(httpx2.Request("GET", f"{server.url}/v1/other"))
        return received

    server.respond(response(CONVERSATION))
    with SupportChat(api_key=API_KEY, base_url=server.url, middleware=[elsewhere]) as client:
        get(client)
    assert server.targets() == ["/v1/other"]


def test_may_return_a_response_without_a_request(call: Caller, server: Server) -> None:
    made = for_both(call, lambda _: httpx2.Response(200, json=CONVERSATION))
    assert call(get, middleware=[made]).id == "conv_1"
    assert server.requests == []


@pytest.mark.parametrize("error", [RuntimeError("mine"), OSError("mine"), httpx2.ReadError("mine")])
def test_its_errors_reach_the_caller_unchanged(
    call: Caller, server: Server, error: Exception
) -> None:
    def fail(_: object) -> None:
        raise error

    server.respond(response(CONVERSATION))
    with pytest.raises(type(error)) as caught:
        call(get, middleware=[for_both(call, fail)])
    assert caught.value is error
    with pytest.raises(type(error)) as caught:
        call(get, middleware=[for_both(call, lambda _: None, fail)])
    assert caught.value is error
    assert len(server.requests) == 1


def test_sees_a_broken_connection_that_is_retried(
    call: Caller, server: Server, sleeps: list[float]
) -> None:
    server.respond(reset, response(CONVERSATION))
    assert call(get, middleware=[for_both(call, lambda _: None)]).id == "conv_1"
    assert len(sleeps) == 1


def test_must_return_a_response(call: Caller, server: Server) -> None:
    server.respond(response(CONVERSATION))
    with pytest.raises(TypeError, match=r"middleware must return an httpx2\.Response, not int"):
        call(get, middleware=[for_both(call, lambda _: 7)])


def test_runs_within_the_timeout_of_the_attempt(server: Server) -> None:
    async def never(_: httpx2.Request, next: object) -> httpx2.Response:
        await asyncio.sleep(60)
        raise AssertionError

    async def main() -> None:
        async with AsyncSupportChat(
            api_key=API_KEY, base_url=server.url, middleware=[never], timeout=0.05, max_retries=0
        ) as client:
            await get(client)

    with pytest.raises(APITimeoutError) as caught:
        asyncio.run(main())
    assert caught.value.outcome == "not_sent"

    def slow(request: httpx2.Request, next: Callable[..., Any]) -> httpx2.Response:
        received: httpx2.Response = next(request)
        time.sleep(0.6)
        return received

    server.respond(response(CONVERSATION))
    client = SupportChat(
        api_key=API_KEY, base_url=server.url, middleware=[slow], timeout=0.5, max_retries=0
    )
    with client, pytest.raises(APITimeoutError) as caught:
        get(client)
    assert caught.value.outcome == "unknown"


@pytest.mark.parametrize("fails", [True, False])
def test_every_response_gives_its_connection_back(
    server: Server, call: Caller, *, fails: bool
) -> None:
    """One that middleware does not return too: it holds one of the connections of the client."""
    limits = httpx2.Limits(max_connections=2)

    def drop(request: httpx2.Request, next: Callable[..., Any]) -> httpx2.Response:
        next(request)
        if fails:
            raise KeyError
        received: httpx2.Response = next(request)
        return received

    async def drop_async(request: httpx2.Request, next: Callable[..., Any]) -> httpx2.Response:
        await next(request)
        if fails:
            raise KeyError
        received: httpx2.Response = await next(request)
        return received

    def get_once(client: SupportChat) -> None:
        with contextlib.suppress(KeyError):
            get(client)

    async def get_once_async(client: AsyncSupportChat) -> None:
        with contextlib.suppress(KeyError):
            await get(client)

    server.respond(*[response(CONVERSATION)] * 8)
    if not call.asynchronous:
        options = call.options({"middleware": [drop], "timeout": 10, "max_retries": 0})
        with (
            httpx2.Client(limits=limits) as http,
            SupportChat(http_client=http, **options) as client,
        ):
            for _ in range(4):
                get_once(client)
        return

    async def main() -> None:
        options = call.options({"middleware": [drop_async], "timeout": 10, "max_retries": 0})
        async with (
            httpx2.AsyncClient(limits=limits) as http,
            AsyncSupportChat(http_client=http, **options) as client,
        ):
            for _ in range(4):
                await get_once_async(client)

    asyncio.run(main())


def test_a_streamed_response_outlives_the_others_of_its_attempt(server: Server) -> None:
    def again(request: httpx2.Request, next: Callable[..., Any]) -> httpx2.Response:
        next(request)
        received: httpx2.Response = next(request)
        return received

    def copied(request: httpx2.Request, next: Callable[..., Any]) -> httpx2.Response:
        received = next(request)
        return httpx2.Response(received.status_code, stream=received.stream)

    for middleware in (again, copied):
        server.respond(response(CONVERSATION), response(CONVERSATION))
        with (
            SupportChat(api_key=API_KEY, base_url=server.url, middleware=[middleware]) as client,
            client.stream("GET", "/v1/x") as streamed,
        ):
            assert b"conv_1" in streamed.read()
