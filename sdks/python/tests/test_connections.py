from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from support import API_KEY, Caller, Server, head, problem, response, then_hang
from support_chat import (
    APIConnectionError,
    APITimeoutError,
    AsyncSupportChat,
    SupportChat,
)


def get(client: Any) -> Any:
    return client.conversations.get("c1")


def post(client: Any) -> Any:
    return client.conversations.messages.create("conv_1", text="Hi")


@pytest.fixture
def closed_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_a_failed_connection_has_its_cause(call: Caller, closed_port: str) -> None:
    with pytest.raises(APIConnectionError) as caught:
        call(post, base_url=closed_port, max_retries=0)
    assert isinstance(caught.value.__cause__, httpx2.ConnectError)


@pytest.fixture
def untrusted(tmp_path: Path) -> Iterator[str]:
    """A server whose certificate nobody trusts."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    openssl = shutil.which("openssl")
    assert openssl
    arguments = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    files = ["-days", "1", "-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([openssl, *arguments, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = Server(context)
    yield server.url.replace("http:", "https:")
    server.close()
    assert server.requests == []


def test_an_untrusted_certificate_has_the_outcome_not_sent(
    call: Caller, sleeps: list[float], untrusted: str
) -> None:
    with pytest.raises(APIConnectionError) as caught:
        call(post, base_url=untrusted)
    assert caught.value.outcome == "not_sent"
    assert "certificate" in str(caught.value).lower()


def test_a_server_without_tls_has_the_outcome_not_sent(
    call: Caller,
) -> None:
    server = Server(greeting=b"HTTP/1.1 400 Bad Request\r\n\r\n")
    try:
        with pytest.raises(APIConnectionError) as caught:
            call(post, base_url=server.url.replace("http:", "https:"), max_retries=0)
    finally:
        server.close()
    assert caught.value.outcome == "not_sent"


def test_a_slow_body_times_out_with_a_client_of_the_caller(server: Server) -> None:
    drip = server.drip(b" ", every=0.02)

    def script(connection: socket.socket) -> None:
        connection.sendall(head(9_999))
        drip(connection)

    server.respond(script)
    with httpx2.Client() as http, pytest.raises(APITimeoutError):
        SupportChat(
            api_key=API_KEY, base_url=server.url, http_client=http, timeout=0.1, max_retries=0
        ).conversations.get("c1")


@pytest.mark.parametrize(
    "begin",
    [b"HTTP/1.1 200 OK\r\nx-a: ", b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;"],
    ids=["head", "chunk"],
)
def test_bytes_that_complete_nothing_extend_no_attempt(
    call: Caller, server: Server, begin: bytes
) -> None:
    drip = server.drip(b"a", every=0.02)

    def script(connection: socket.socket) -> None:
        connection.sendall(begin)
        drip(connection)

    server.respond(script)
    with pytest.raises(APITimeoutError, match=r"within 0\.2 s"):
        call(get, timeout=0.2, max_retries=0)


def test_gives_up_on_a_server_that_reads_nothing(call: Caller) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        body = {"text": "x" * 20_000_000}
        with pytest.raises(APITimeoutError):
            call(
                lambda client: client.request("POST", "/v1/things", body=body, timeout=0.3),
                base_url=url,
            )


def test_stops_waiting_for_a_retry_when_the_task_is_cancelled(server: Server) -> None:
    server.respond(problem(503, {"retry-after": "60"}))

    async def main() -> None:
        async with AsyncSupportChat(api_key=API_KEY, base_url=server.url) as client:
            task = asyncio.create_task(client.conversations.get("c1"))
            while not server.requests:
                await asyncio.sleep(0.005)
            await asyncio.sleep(0.02)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert len(server.requests) == 1


def test_uses_a_connection_again(server: Server) -> None:
    server.respond(response())
    with SupportChat(api_key=API_KEY, base_url=server.url) as client:
        for _ in range(3):
            client.conversations.get("c1")
    assert len(server.requests) == 3
    assert server.connections == 1


def test_raises_the_abort_of_the_event_loop(server: Server) -> None:
    server.respond(then_hang(head(99) + b"{"))

    async def main() -> None:
        async with AsyncSupportChat(api_key=API_KEY, base_url=server.url) as client:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.conversations.get("c1"), 0.6)

    asyncio.run(main())
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (httpx2.ConnectError("x"), "not_sent"),
        (httpx2.ProxyError("x"), "not_sent"),
        (httpx2.UnsupportedProtocol("x"), "not_sent"),
        (httpx2.ReadError("x"), "unknown"),
        (httpx2.WriteError("x"), "unknown"),
        (httpx2.RemoteProtocolError("x"), "unknown"),
        (OSError("x"), "unknown"),
        (httpx2.ConnectTimeout("x"), "not_sent"),
        (httpx2.PoolTimeout("x"), "not_sent"),
    ],
)
def test_a_transport_error_has_its_outcome(error: Exception, outcome: str) -> None:
    def fail(_: httpx2.Request) -> httpx2.Response:
        raise error

    with httpx2.Client(transport=httpx2.MockTransport(fail)) as http:
        client = SupportChat(
            api_key=API_KEY, base_url="http://a.test", http_client=http, max_retries=0
        )
        with pytest.raises(APIConnectionError) as caught:
            client.conversations.get("c1")
    assert caught.value.outcome == outcome
    assert isinstance(caught.value, APITimeoutError) == isinstance(error, httpx2.TimeoutException)


def test_goes_through_the_proxy_that_the_environment_names(
    call: Caller, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", server.url.replace("http://", "http://user:word@"))
    server.respond(response())
    call(get, base_url="http://api.test")
    assert server.targets() == ["http://api.test/v1/conversations/c1"]
    assert server.requests[0].headers["proxy-authorization"] == "Basic dXNlcjp3b3Jk"


def test_goes_past_the_proxy_where_the_environment_says_so(
    call: Caller, server: Server, monkeypatch: pytest.MonkeyPatch, closed_port: str
) -> None:
    monkeypatch.setenv("http_proxy", closed_port)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server.respond(response())
    call(get)
    assert server.targets() == ["/v1/conversations/c1"]
