from __future__ import annotations

from typing import Any

import pytest

from support import Caller, Server, problem, response, settle
from support_chat import SupportChatError


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
