"""What other tools see of the client's requests, and what a process shares with its children."""

from __future__ import annotations

import asyncio
import os
import pickle
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry.instrumentation.httpx import HTTPX2ClientInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pytest_httpx2 import HTTPXMock

from support import API_KEY, CONVERSATION, Caller, Server, response, then_hang
from support_chat import APITimeoutError, AsyncSupportChat, SupportChat


def get(client: Any) -> Any:
    return client.conversations.get("conv_1")


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    instrumentor: Any = HTTPX2ClientInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    yield exporter
    instrumentor.uninstrument()


def test_opentelemetry_sees_every_request(
    call: Caller, server: Server, spans: InMemorySpanExporter
) -> None:
    server.respond(response(CONVERSATION))
    call(get)
    assert [span.name for span in spans.get_finished_spans()] == ["GET"]
    assert "traceparent" in server.requests[0].headers


def test_a_test_tool_of_httpx2_answers_calls(httpx2_mock: HTTPXMock) -> None:
    httpx2_mock.add_response(url="http://a.test/v1/conversations/conv_1", json=CONVERSATION)
    client = SupportChat(api_key=API_KEY, base_url="http://a.test")
    assert get(client).id == "conv_1"
    request = httpx2_mock.get_request()
    assert request is not None
    assert request.headers["authorization"] == f"Bearer {API_KEY}"


@pytest.mark.parametrize("excluded", ["127.0.0.1", "http://127.0.0.1", "127.0.0.0/8", "*"])
def test_no_proxy_takes_names_addresses_and_networks(
    call: Caller, server: Server, monkeypatch: pytest.MonkeyPatch, excluded: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        closed = f"http://127.0.0.1:{listener.getsockname()[1]}"
    monkeypatch.setenv("http_proxy", closed)
    monkeypatch.setenv("no_proxy", excluded)
    server.respond(response(CONVERSATION))
    assert call(get).id == "conv_1"


def test_children_of_a_fork_get_their_own_responses() -> None:
    def serve(connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as stream:
            while line := stream.readline():
                path = line.split(b" ")[1].rpartition(b"/")[2].decode()
                while stream.readline() != b"\r\n":
                    pass
                connection.sendall(response({**CONVERSATION, "id": path}))

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with SupportChat(api_key=API_KEY, base_url=url) as client:
            client.conversations.get("first")
            pipes = [fork(client, name) for name in ("a", "b", "c")]
            own = [client.conversations.get(f"own{n}").id for n in range(30)]
            assert own == [f"own{n}" for n in range(30)]
            for name, (pid, pipe) in zip(("a", "b", "c"), pipes, strict=True):
                with os.fdopen(pipe, "rb") as stream:
                    assert pickle.load(stream) == [f"{name}{n}" for n in range(30)]
                os.waitpid(pid, 0)
        listener.shutdown(socket.SHUT_RDWR)


def fork(client: SupportChat, name: str) -> tuple[int, int]:
    """Make calls in a child process, which writes what it got into a pipe."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid:
        os.close(theirs)
        return pid, ours
    try:
        found = [client.conversations.get(f"{name}{n}").id for n in range(30)]
        os.write(theirs, pickle.dumps(found))
    finally:
        os._exit(0)


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        ({"connect_timeout": 0.1}, "no connection within 0.1 s"),
        ({"timeout": 0.1}, "no complete response within 0.1 s"),
    ],
)
def test_a_connection_that_is_not_made_in_time_sends_nothing_and_is_retried(
    call: Caller, full: str, sleeps: list[float], options: dict[str, Any], limit: str
) -> None:
    with pytest.raises(APITimeoutError, match=limit) as caught:
        call(
            lambda client: client.conversations.messages.create("conv_1", text="Hi", **options),
            base_url=full,
            max_retries=1,
        )
    assert caught.value.outcome == "not_sent"
    assert len(sleeps) == 1


def test_a_proxy_that_opens_no_connection_gets_no_request(
    call: Caller, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", server.url)
    monkeypatch.delenv("no_proxy", raising=False)
    server.respond(then_hang(b""))
    with pytest.raises(APITimeoutError) as caught:
        call(get, base_url="https://a.test", timeout=0.2, max_retries=0)
    assert server.targets() == ["a.test:443"]
    assert caught.value.outcome == "not_sent"


def test_calls_can_have_no_limit(call: Caller, server: Server) -> None:
    server.respond(response(CONVERSATION))
    assert call(get, timeout=None).id == "conv_1"
    assert call(lambda client: client.conversations.get("conv_1", timeout=None)).id == "conv_1"


def test_streams_a_body(server: Server) -> None:
    server.respond(response(b"x" * 1_000_000))
    with SupportChat(api_key=API_KEY, base_url=server.url) as client:
        with client.stream("GET", "/v1/things/{id}/file", path_params={"id": "a"}) as streamed:
            assert streamed.status == 200
            sizes = [len(piece) for piece in streamed.iter_bytes(100_000)]
        assert sizes == [100_000] * 10
    assert server.targets() == ["/v1/things/a/file"]


def test_streams_a_body_asynchronously(server: Server) -> None:
    server.respond(response(b"a\nb\n"))

    async def main() -> list[str]:
        async with (
            AsyncSupportChat(api_key=API_KEY, base_url=server.url) as client,
            client.stream("GET", "/v1/things") as streamed,
        ):
            return [line async for line in streamed.iter_lines()]

    assert asyncio.run(main()) == ["a", "b"]
