"""What the client relies on beyond the public parts of httpx2 and httpcore2.

`npm run soak` also runs this file with the newest releases of both.
"""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Any

import httpx2

from support import Caller, Server, response
from support_chat._core.arriving import parser_of

MOVED = (
    f"httpx2 {version('httpx2')} or httpcore2 {version('httpcore2')} has moved the parser of a "
    "connection. Update _core/arriving.py, or remove the check if its condition holds."
)


def test_the_parser_of_a_connection_can_be_reached(server: Server) -> None:
    server.respond(response())
    with httpx2.Client() as http, http.stream("GET", server.url) as received:
        for _ in received.iter_raw():
            assert parser_of(received.stream), MOVED


def test_the_parser_of_an_asynchronous_connection_can_be_reached(server: Server) -> None:
    server.respond(response())

    async def main() -> None:
        async with (
            httpx2.AsyncClient() as http,
            http.stream("GET", server.url) as received,
        ):
            async for _ in received.aiter_raw():
                assert parser_of(received.stream), MOVED

    asyncio.run(main())


def test_a_connection_with_bytes_after_a_response_is_not_used_again(
    call: Caller, server: Server
) -> None:
    forged = response({"id": "c9"})
    server.respond(response() + forged, response({"id": "c1"}))

    def twice(client: Any) -> Any:
        client.conversations.get("c1")
        return client.conversations.get("c1")

    async def twice_async(client: Any) -> Any:
        await client.conversations.get("c1")
        return await client.conversations.get("c1")

    conversation = call(twice_async if call.asynchronous else twice)
    assert conversation.id == "c1", MOVED
    assert server.connections == 2
