"""Calls that their caller ends."""

from __future__ import annotations

import asyncio
import pickle
import signal
import sys
import traceback
from typing import Any

import pytest
import trio

from support import API_KEY, Server, head, problem, then_hang
from support_chat import AbortedCall, AsyncSupportChat, SupportChat, aborted_call

PATH = "/v1/conversations/conv_1/messages"


def post(client: Any) -> Any:
    return client.conversations.messages.create("conv_1", text="Hi")


async def cancelled(server: Server, **options: Any) -> asyncio.CancelledError:
    """Cancel a call that waits for its response."""
    async with AsyncSupportChat(api_key=API_KEY, base_url=server.url, **options) as client:
        task = asyncio.ensure_future(post(client))
        while not server.requests:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        return caught.value


def test_a_cancelled_task_tells_what_was_sent(server: Server) -> None:
    server.respond(then_hang(b""))
    error = asyncio.run(cancelled(server))
    facts = AbortedCall(method="POST", path=PATH, attempts=1, outcome="unknown")
    assert aborted_call(error) == facts
    assert pickle.loads(pickle.dumps(facts)) == facts


def test_a_task_that_is_cancelled_between_attempts_tells_the_outcome_of_the_last(
    server: Server,
) -> None:
    server.respond(problem(429, {"retry-after": "60"}))
    facts = aborted_call(asyncio.run(cancelled(server)))
    assert facts == AbortedCall(method="POST", path=PATH, attempts=1, outcome="rejected")


def test_a_timeout_of_the_event_loop_tells_it_too(server: Server) -> None:
    server.respond(then_hang(head(99) + b"{"))

    async def main() -> None:
        async with AsyncSupportChat(api_key=API_KEY, base_url=server.url) as client:
            await asyncio.wait_for(post(client), 0.3)

    with pytest.raises(asyncio.TimeoutError) as caught:
        asyncio.run(main())
    facts = aborted_call(caught.value)
    assert facts
    assert (facts.attempts, facts.outcome) == (1, "unknown")
    if sys.version_info >= (3, 11):
        assert f"POST {PATH} ended in attempt 1, outcome unknown" in "".join(
            traceback.format_exception(caught.value)
        )


def test_a_call_that_ends_while_it_connects_sent_nothing(full: str) -> None:
    async def main() -> None:
        async with AsyncSupportChat(api_key=API_KEY, base_url=full) as client:
            await asyncio.wait_for(post(client), 0.1)

    with pytest.raises(asyncio.TimeoutError) as caught:
        asyncio.run(main())
    facts = aborted_call(caught.value)
    assert facts
    assert facts.outcome == "not_sent"


def test_an_interrupt_tells_it(server: Server) -> None:
    server.respond(then_hang(b""))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with SupportChat(api_key=API_KEY, base_url=server.url) as client:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(KeyboardInterrupt) as caught:
                post(client)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    facts = aborted_call(caught.value)
    assert facts == AbortedCall(method="POST", path=PATH, attempts=1, outcome="unknown")


def test_trio_tells_it(server: Server) -> None:
    server.respond(then_hang(b""))
    seen: list[AbortedCall | None] = []

    async def main() -> None:
        async with AsyncSupportChat(api_key=API_KEY, base_url=server.url) as client:
            with trio.move_on_after(0.2):
                try:
                    await post(client)
                except trio.Cancelled as error:
                    seen.append(aborted_call(error))
                    raise

    trio.run(main)
    assert seen == [AbortedCall(method="POST", path=PATH, attempts=1, outcome="unknown")]


def test_other_errors_ended_no_call() -> None:
    assert aborted_call(ValueError("x")) is None
    assert aborted_call(asyncio.CancelledError()) is None
