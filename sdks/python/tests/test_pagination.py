from __future__ import annotations

from typing import Any

import pytest

from support import Caller, Server, problem, reply, settle
from support_chat import InvalidResponseError, NotFoundError, SupportChatError


def page(ids: list[str], next_cursor: Any = None) -> bytes:
    data = [{"id": name} for name in ids]
    return reply({"data": data, "next_cursor": next_cursor, "has_more": False})


def ids(items: list[Any]) -> list[str]:
    return [item.id for item in items]


def test_iterates_over_every_item_of_every_page_with_the_same_filters(
    call: Caller, server: Server
) -> None:
    server.answer(page(["a", "b"], "c1"), page([], "c2"), page(["c"]))
    assert ids(call.items(lambda client: client.conversations.list(status="open"))) == [
        "a",
        "b",
        "c",
    ]
    assert server.targets() == [
        "/v1/conversations?status=open",
        "/v1/conversations?cursor=c1&status=open",
        "/v1/conversations?cursor=c2&status=open",
    ]


def test_gives_one_page_and_then_the_next(call: Caller, server: Server) -> None:
    server.answer(page(["a"], "c1"), page(["b"]))
    pages: list[Any] = []

    def walk(client: Any) -> Any:
        async def later() -> None:
            pages.append(await client.conversations.list(limit=1))
            pages.append(await pages[0].next_page())
            pages.append(await pages[1].next_page())

        if call.asynchronous:
            return later()
        pages.append(client.conversations.list(limit=1))
        pages.append(pages[0].next_page())
        pages.append(pages[1].next_page())
        return None

    call(walk)
    assert ids(pages[0].data) == ["a"]
    assert pages[0].next_cursor == "c1"
    assert ids(pages[1].data) == ["b"]
    assert pages[1].next_cursor is None
    assert pages[2] is None
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "more", [{}, {"next_cursor": None}, {"next_cursor": ""}], ids=["missing", "null", "empty"]
)
def test_ends_without_a_cursor_whatever_else_the_page_says(
    call: Caller, server: Server, more: dict[str, Any]
) -> None:
    server.answer(reply({"data": [{"id": "a"}], "has_more": True, **more}))
    assert ids(call.items(lambda client: client.conversations.list())) == ["a"]
    assert len(server.requests) == 1


def test_takes_a_page_without_items_as_empty(call: Caller, server: Server) -> None:
    server.answer(reply({"data": None, "next_cursor": "c1"}), reply({"next_cursor": None}))
    assert call.items(lambda client: client.conversations.list()) == []
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("pages", "seen"),
    [
        ([page(["a"], "c1"), page(["b"], "c1")], ["a", "b"]),
        ([page(["a"], "c1"), page(["b"], "c2"), page(["c"], "c1")], ["a", "b", "c"]),
    ],
)
def test_raises_when_a_cursor_comes_back_after_the_items_before_it(
    call: Caller, server: Server, pages: list[bytes], seen: list[str]
) -> None:
    server.answer(*pages)
    found: list[Any] = []
    with pytest.raises(InvalidResponseError, match="earlier page"):
        call.items(lambda client: client.conversations.list(), found)
    assert ids(found) == seen
    assert len(server.requests) == len(pages)


def test_raises_when_the_first_page_leads_to_itself(call: Caller, server: Server) -> None:
    server.answer(page(["a"], "c1"))
    with pytest.raises(InvalidResponseError):
        call.items(lambda client: client.conversations.list(cursor="c1"))
    assert len(server.requests) == 1


def test_fetches_the_same_page_again_when_asked_twice_also_after_a_failure(
    call: Caller, server: Server
) -> None:
    server.answer(page(["a"], "c1"), problem(500), page(["b"], "c2"), page(["b"], "c2"))
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


@pytest.mark.parametrize("body", [None, "text", [1, 2], {"data": "text"}, {"data": {}}])
def test_raises_for_what_is_no_page(call: Caller, server: Server, body: Any) -> None:
    server.answer(reply(b"null" if body is None else body))
    with pytest.raises(InvalidResponseError):
        call(lambda client: client.conversations.list())


def test_stops_fetching_when_the_loop_is_left(call: Caller, server: Server) -> None:
    server.answer(page(["a", "b"], "c1"))

    async def later(client: Any) -> str:
        async for item in client.conversations.list():
            name: str = item.id
            break
        return name

    def now(client: Any) -> str:
        name: str = next(iter(client.conversations.list())).id
        return name

    assert call(later if call.asynchronous else now) == "a"
    assert len(server.requests) == 1


def test_passes_the_options_on_to_every_page(call: Caller, server: Server) -> None:
    server.answer(page(["a"], "c1"), page(["b"]))
    headers = {"x-team": "a"}
    call.items(lambda client: client.conversations.list(extra_headers=headers))
    assert [request.headers["x-team"] for request in server.requests] == ["a", "a"]


def test_raises_a_failure_on_a_later_page_where_it_happens(call: Caller, server: Server) -> None:
    server.answer(page(["a"], "c1"), problem(404))
    found: list[Any] = []
    with pytest.raises(NotFoundError):
        call.items(lambda client: client.conversations.list(), found)
    assert ids(found) == ["a"]


def test_asynchronous_lists_send_nothing_before_they_are_awaited(
    call: Caller, server: Server
) -> None:
    server.answer(page([]))
    if call.asynchronous:

        async def only_name_it(client: Any) -> None:
            client.conversations.list()

        call(only_name_it)
        assert server.requests == []
    else:
        call(lambda client: client.conversations.list())
        assert len(server.requests) == 1
