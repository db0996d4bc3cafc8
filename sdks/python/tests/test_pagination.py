from __future__ import annotations

import asyncio
import copy
import functools
from typing import Any

import pytest
import trio

from support import API_KEY, CONVERSATION, Caller, Server, problem, response, settle
from support_chat import AsyncSupportChat, InvalidResponseError, SupportChatError, request_id_of


def page(ids: list[str], next_cursor: Any = None) -> bytes:
    data = [{"id": name} for name in ids]
    return response({"data": data, "next_cursor": next_cursor, "has_more": False})


def ids(items: list[Any]) -> list[str]:
    return [item.id for item in items]


def test_fetches_the_same_page_again_even_after_a_failure(call: Caller, server: Server) -> None:
    server.respond(page(["a"], "c1"), problem(500), page(["b"], "c2"), page(["b"], "c2"))
    found: list[str] = []

    async def later(client: Any) -> None:
        first = await settle(client.conversations.list())
        with pytest.raises(SupportChatError):
            await settle(first.next_page())
        for _ in range(2):
            found.extend(ids((await settle(first.next_page())).data))

    def now(client: Any) -> None:
        first = client.conversations.list()
        with pytest.raises(SupportChatError):
            first.next_page()
        for _ in range(2):
            found.extend(ids(first.next_page().data))

    call(later if call.asynchronous else now)
    assert found == ["b", "b"]


def test_asynchronous_lists_send_nothing_before_they_are_awaited(
    call: Caller, server: Server
) -> None:
    server.respond(page([]))
    if call.asynchronous:

        async def only_name_it(client: Any) -> None:
            client.conversations.list()

        call(only_name_it)
        assert server.requests == []
    else:
        call(lambda client: client.conversations.list())
        assert len(server.requests) == 1


def to_list(client: Any, *, limit: int | None) -> Any:
    return client.conversations.list().to_list(limit=limit)


def test_pages_can_be_iterated_and_collected(call: Caller, server: Server) -> None:
    def three() -> None:
        bodies = [page(["a", "b"], "c1"), page(["c"], "c2"), page(["d"])]
        server.respond(*bodies)

    three()
    sizes = [len(one.data) for one in call.items(lambda c: c.conversations.list().iter_pages())]
    assert sizes == [2, 1, 1]
    none = 0 if call.asynchronous else 1  # blocking clients fetch the first page for its object
    for limit, found, requests in [(None, "abcd", 3), (3, "abc", 2), (2, "ab", 1), (0, "", none)]:
        server.requests.clear()
        three()
        collect = functools.partial(to_list, limit=limit)
        items = call(collect)
        assert "".join(ids(items)) == found
        assert len(server.requests) == requests


def test_an_iteration_that_ends_early_leaves_nothing_to_finalize(server: Server) -> None:
    """trio warns about async generators that are not exhausted."""
    server.respond(page(["a", "b"], "c1"))

    found: list[str] = []

    async def main() -> None:
        async with AsyncSupportChat(api_key=API_KEY, base_url=server.url) as client:
            pages = client.conversations.list()
            async for item in pages:
                found.append(item.id)
                break
            async for one in pages.iter_pages():
                found.extend(ids(one.data))
                break

    trio.run(main)
    assert found == ["a", "a", "b"]


@pytest.mark.parametrize("limit", [-1, 0.5])
def test_a_limit_is_a_number_of_items(call: Caller, server: Server, limit: Any) -> None:
    server.respond(page([]))
    with pytest.raises(SupportChatError, match="limit must be a whole number, 0 or more") as caught:
        call(functools.partial(to_list, limit=limit))
    assert caught.value.outcome == "not_sent"


@pytest.mark.parametrize("cursor", [True, False, 0.5, {}, [], ["c1"]])
def test_a_cursor_that_cannot_be_followed_is_no_end(
    call: Caller, server: Server, cursor: Any
) -> None:
    server.respond(page(["a"], cursor))
    with pytest.raises(InvalidResponseError, match="neither a string nor an integer"):
        call.items(lambda client: client.conversations.list())


def test_pages_and_values_know_their_request(call: Caller, server: Server) -> None:
    server.respond(response({"data": [], "next_cursor": None}, headers={"x-request-id": "req_1"}))
    found = call(lambda client: client.conversations.list())
    assert found.request_id == request_id_of(found) == "req_1"
    server.respond(response(CONVERSATION, headers={"x-request-id": "req_2"}))
    conversation = call(lambda client: client.conversations.get("conv_1"))
    assert request_id_of(conversation) == "req_2"
    assert request_id_of([]) is None


def test_the_cursor_of_a_call_is_that_of_its_first_page(call: Caller, server: Server) -> None:
    server.respond(page(["a"], "c1"), page(["b"]))
    found = call.items(lambda client: client.conversations.list(extra_query={"cursor": "c0"}))
    assert ids(found) == ["a", "b"]
    targets = [target.partition("?")[2] for target in server.targets()]
    assert targets == ["cursor=c0", "cursor=c1"]


def test_a_copied_page_cannot_fetch(call: Caller, server: Server) -> None:
    server.respond(page(["a"], "c1"))
    copied = copy.copy(call(lambda client: client.conversations.list()))

    async def follow() -> None:
        await settle(copied.next_page())

    with pytest.raises(SupportChatError, match="copied page"):
        asyncio.run(follow())
