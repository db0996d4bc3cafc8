"""What HTTP/2 says about requests that a server did not process."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import httpx2
import pytest

from support import API_KEY, MESSAGE, response
from support_chat import APIConnectionError, AsyncSupportChat, SupportChat
from support_chat._core.trust import trust

Refusal = Callable[[h2.connection.H2Connection, int], None]


def go_away(last: int) -> Refusal:
    return lambda h2, _: h2.close_connection(0, last_stream_id=last)


def reset(code: int) -> Refusal:
    return lambda h2, stream: h2.reset_stream(stream, code)


class Server:
    """Refuses the first request in a way of HTTP/2, and accepts the following ones."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusals = [refusal]
        self.requests = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        http.initiate_connection()
        # A client may end a connection that it was told to leave.
        with connection, contextlib.suppress(OSError, h2.exceptions.ProtocolError):
            connection.sendall(http.data_to_send())
            while data := connection.recv(65_536):
                for event in http.receive_data(data):
                    if isinstance(event, h2.events.StreamEnded) and event.stream_id:
                        self._respond(http, event.stream_id)
                connection.sendall(http.data_to_send())

    def _respond(self, http: h2.connection.H2Connection, stream: int) -> None:
        self.requests += 1
        if self.refusals:
            self.refusals.pop()(http, stream)
            return
        headers, _, body = response(MESSAGE).partition(b"\r\n\r\n")
        assert headers
        http.send_headers(stream, [(":status", "201"), ("content-type", "application/json")])
        http.send_data(stream, body, end_stream=True)


@pytest.fixture
def serve() -> Iterator[Callable[[Refusal], Server]]:
    servers: list[Server] = []

    def start(refusal: Refusal) -> Server:
        servers.append(Server(refusal))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def create(client: Any) -> Any:
    # The contract does not have it, so that it never says that it may be repeated.
    return client.request("POST", "/v1/things", body={"text": "Hi"})


def create_with(mode: str, url: str) -> Any:
    options: Any = {"api_key": API_KEY, "base_url": url}
    protocol: Any = {"http1": False, "http2": True, "verify": trust()}
    if mode == "sync":
        with httpx2.Client(**protocol) as http:
            return create(SupportChat(http_client=http, **options))

    async def main() -> Any:
        async with httpx2.AsyncClient(**protocol) as http:
            return await create(AsyncSupportChat(http_client=http, **options))

    return asyncio.run(main())


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize(
    "refusal", [go_away(0), reset(7)], ids=["GOAWAY below the stream", "REFUSED_STREAM"]
)
def test_a_request_that_was_not_processed_is_sent_again(
    serve: Callable[[Refusal], Server], sleeps: list[float], mode: str, refusal: Refusal
) -> None:
    server = serve(refusal)
    assert create_with(mode, server.url)["id"] == MESSAGE["id"]
    assert server.requests == 2


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize(
    "refusal", [go_away(1), reset(2)], ids=["GOAWAY at the stream", "INTERNAL_ERROR"]
)
def test_a_request_that_may_have_been_processed_is_not(
    serve: Callable[[Refusal], Server], mode: str, refusal: Refusal
) -> None:
    server = serve(refusal)
    with pytest.raises(APIConnectionError) as caught:
        create_with(mode, server.url)
    assert caught.value.outcome == "unknown"
    assert server.requests == 1
