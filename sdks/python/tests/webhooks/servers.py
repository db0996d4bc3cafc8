"""Real servers for the apps under test, and requests as bytes on a socket."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from http.client import HTTPResponse
from socketserver import ThreadingMixIn
from typing import Any, NamedTuple
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

import uvicorn

from support_chat.webhooks import Event, Webhooks, asgi, wsgi

PATH = "/hooks"


class Response(NamedTuple):
    status: int
    allow: str | None
    body: bytes


def send(
    port: int, method: str, body: bytes, headers: Iterable[tuple[str, str]], cut: int | None = None
) -> Response:
    """Send a request; with `cut`, only so many bytes of its body, without waiting for a response."""
    framing = [
        ("Host", "shop.example"),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
    ]
    lines = [
        f"{method} {PATH} HTTP/1.1",
        *(f"{name}: {value}" for name, value in [*framing, *headers]),
    ]
    with socket.create_connection(("127.0.0.1", port)) as connection:
        # A server may respond and close before it has read the whole body.
        with contextlib.suppress(ConnectionError):
            connection.sendall("\r\n".join([*lines, "", ""]).encode() + body[:cut])
        if cut is not None:
            return Response(0, None, b"")
        return read_response(connection, method)


def read_response(connection: socket.socket, method: str = "POST") -> Response:
    with HTTPResponse(connection, method=method) as response:
        response.begin()
        return Response(response.status, response.getheader("Allow"), response.read())


class Host:
    """A server in a thread, whose app changes from test to test."""

    def __init__(self, make: Callable[..., Any], *, is_async: bool) -> None:
        self.port = 0
        self.is_async = is_async
        self.app: Any = None
        self._make = make

    def receive(self, webhooks: Webhooks, handler: Callable[[Event], None], **options: Any) -> None:
        """Serve a receiver of this kind of server."""

        async def handle(event: Event) -> None:
            await asyncio.to_thread(handler, event)

        self.app = self._make(webhooks, handle if self.is_async else handler, **options)

    def wsgi(self, environ: Any, start_response: Any) -> Any:
        """The app of the moment."""
        return self.app(environ, start_response)

    async def asgi(self, scope: Any, receive: Any, send: Any) -> None:
        """The app of the moment."""
        await self.app(scope, receive, send)


class _Threads(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    def get_environ(self) -> dict[str, Any]:
        # WSGI cannot tell these from names with a dash, so servers for production drop them.
        for name in [name for name in self.headers if "_" in name]:
            del self.headers[name]
        return super().get_environ()

    def log_message(self, *_: object) -> None:
        pass


def on_wsgiref() -> Iterator[Host]:
    yield from serve_wsgi(Host(wsgi.webhook_app, is_async=False))


def on_uvicorn() -> Iterator[Host]:
    yield from serve_asgi(Host(asgi.webhook_app, is_async=True))


def serve_wsgi(host: Host) -> Iterator[Host]:
    with _Threads(("127.0.0.1", 0), _Handler) as server:
        server.set_app(host.wsgi)
        host.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield host
        server.shutdown()
        thread.join()


def serve_asgi(host: Host) -> Iterator[Host]:
    fixed: Any = {"interface": "asgi3", "http": "h11", "ws": "none", "log_config": None}
    server = uvicorn.Server(uvicorn.Config(host.asgi, lifespan="off", **fixed))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        host.port = listener.getsockname()[1]
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        yield host
        server.should_exit = True
        thread.join()
