"""A server that records requests and sends scripted responses, and both clients for it."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import os
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from support_chat import AsyncSupportChat, SupportChat

API_KEY = "sk_test_1234567890"
MESSAGE = {
    "id": "msg_1",
    "conversation_id": "conv_1",
    "author": {"type": "agent", "name": None},
    "text": "Hi",
    "created_at": "2026-03-02T09:14:07Z",
}
CONVERSATION = {
    "id": "conv_1",
    "status": "handed_off",
    "created_at": "2026-03-02T09:14:07Z",
    "updated_at": "2026-03-02T09:21:48.120Z",
    "transcript": [MESSAGE],
    "handoff": None,
}


@dataclass(frozen=True)
class Wire:
    """A request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


Script: TypeAlias = bytes | Callable[[socket.socket], object]


def response(body: Any = None, status: int = 200, headers: dict[str, str] | None = None) -> bytes:
    """A complete response. Anything but bytes becomes JSON."""
    content = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
    lines = {"content-type": "application/json", "content-length": str(len(content))}
    lines |= headers or {}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Status\r\n{head}\r\n".encode() + content


def problem(status: int, headers: dict[str, str] | None = None) -> bytes:
    """A problem as the contract describes it."""
    body = {
        "type": "about:blank",
        "title": "Title",
        "status": status,
        "detail": "What is wrong.",
        "code": "some_code",
        "request_id": "req_1",
    }
    return response(body, status, {"x-request-id": "req_1", **(headers or {})})


def head(length: int, status: str = "200 OK") -> bytes:
    """The beginning of an incomplete response."""
    return f"HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n".encode()


def end(connection: socket.socket) -> None:
    """Close a connection at once, although its stream is still open."""
    descriptor = connection.detach()
    if descriptor != -1:  # the test is over, and has closed it
        os.close(descriptor)


def reset(connection: socket.socket) -> None:
    """Break the connection as a crash does."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    end(connection)


def then_close(content: bytes) -> Callable[[socket.socket], None]:
    """Send something and end the connection."""

    def script(connection: socket.socket) -> None:
        connection.sendall(content)
        end(connection)

    return script


def then_hang(content: bytes) -> Callable[[socket.socket], None]:
    """Send something and then nothing more."""
    return lambda connection: connection.sendall(content)


class Server:
    """Sends the scripted responses in turn, and repeats the last one."""

    def __init__(self, tls: ssl.SSLContext | None = None, greeting: bytes = b"") -> None:
        self.requests: list[Wire] = []
        self._tls = tls
        self._greeting = greeting
        self._scripts: list[Script] = []
        self._open: list[socket.socket] = []
        self._stopped = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads: list[threading.Thread] = []
        self._acceptor = threading.Thread(target=self._accept)
        self._acceptor.start()

    def respond(self, *responses: Script) -> None:
        """Script the responses."""
        self._scripts = list(responses)

    def drip(self, piece: bytes, every: float) -> Callable[[socket.socket], None]:
        """Send a piece again and again, until the client or the test has enough."""

        def script(connection: socket.socket) -> None:
            while not self._stopped.wait(every):
                connection.sendall(piece)

        return script

    def targets(self) -> list[str]:
        """The targets of the requests."""
        return [request.target for request in self.requests]

    @property
    def connections(self) -> int:
        """How many connections were made."""
        return len(self._open)

    def close(self) -> None:
        """Stop, and break what is still open."""
        self._stopped.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._acceptor.join()  # first, because it may have a connection that is not in the list yet
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _accept(self) -> None:
        while not self._stopped.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            if self._greeting:
                with contextlib.suppress(OSError):
                    connection.sendall(self._greeting)
                end(connection)
                continue
            if self._tls:
                with contextlib.suppress(OSError):
                    self._open.append(self._tls.wrap_socket(connection, server_side=True))
                continue
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection.makefile("rb") as stream:
            while line := stream.readline():
                method, target, _ = line.decode().split(" ")
                headers = {}
                while (field := stream.readline()) != b"\r\n":
                    name, _, value = field.decode().partition(": ")
                    headers[name.lower()] = value.strip()
                body = stream.read(int(headers.get("content-length", 0)))
                self.requests.append(Wire(method, target, headers, body))
                script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
                if isinstance(script, bytes):
                    connection.sendall(script)
                else:
                    script(connection)


class Caller:
    """Makes the same calls with either client."""

    def __init__(self, mode: str, url: str) -> None:
        self.asynchronous = mode == "async"
        self.url = url

    def options(self, options: dict[str, Any]) -> Any:
        """The options of a client for the server."""
        return {"api_key": API_KEY, "base_url": self.url, **options}

    def __call__(self, do: Callable[[Any], Any], **options: Any) -> Any:
        """Run a call to its end and give what it comes to."""
        if not self.asynchronous:
            with SupportChat(**self.options(options)) as client:
                return do(client)

        async def main() -> Any:
            async with AsyncSupportChat(**self.options(options)) as client:
                return await settle(do(client))

        return asyncio.run(main())

    def items(self, do: Callable[[Any], Any], seen: list[Any] | None = None) -> list[Any]:
        """Iterate over all items of a list; `seen` has them even where it fails."""
        found: list[Any] = [] if seen is None else seen
        note = found.append  # one by one, so that those before a failure are there
        if not self.asynchronous:
            with SupportChat(**self.options({})) as client:
                found.extend(do(client))
            return found

        async def main() -> list[Any]:
            async with AsyncSupportChat(**self.options({})) as client:
                items = do(client)
                async for item in items:
                    note(item)
            return found

        return asyncio.run(main())


async def settle(value: Any) -> Any:
    """Await what has to be awaited."""
    return await value if inspect.isawaitable(value) else value
