"""What frameworks do to a request before a receiver gets it, each on a real server."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from aiohttp import web
from asgiref.sync import sync_to_async
from django.db import connection, transaction
from django.test import override_settings
from flask import Flask, request
from starlette.applications import Starlette
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.routing import Route
from werkzeug.serving import WSGIRequestHandler, make_server

from support_chat import SupportChatError
from support_chat.webhooks import (
    Event,
    Lease,
    MemoryDedupeStore,
    Webhooks,
    WebhookVerificationError,
    aiohttp,
    asgi,
    aws_lambda,
    django,
    flask,
    wsgi,
)
from webhooks import frameworks
from webhooks.deliveries import BODY, ENVELOPE, HEADERS, SECRET
from webhooks.servers import (
    PATH,
    Host,
    Response,
    on_uvicorn,
    on_wsgiref,
    read_response,
    send,
    serve_asgi,
    serve_wsgi,
)

PAIRS = [*HEADERS.items()]
CHUNKED = f"{len(BODY):x}\r\n".encode() + BODY + b"\r\n0\r\n\r\n"
EVENT = ENVELOPE["id"]


class Receiver:
    """A receiver of any framework, and what it handled and reported."""

    def __init__(self, make: Callable[..., Any], *, is_async: bool, **options: Any) -> None:
        self.handled: list[str] = []
        self.errors: list[Exception] = []
        handler = self._handle_async if is_async else self._handle
        limits = {name: options.pop(name) for name in ["max_body_bytes"] if name in options}
        webhooks = Webhooks(SECRET, **limits)
        self.app = make(webhooks, handler, on_error=self.errors.append, **options)

    def _handle(self, event: Event) -> None:
        self.handled.append(event.id)

    async def _handle_async(self, event: Event) -> None:
        self.handled.append(event.id)

    @property
    def codes(self) -> list[str]:
        """The codes of refusals, and the classes of other errors."""
        return [
            error.code if isinstance(error, WebhookVerificationError) else type(error).__name__
            for error in self.errors
        ]


def send_raw(port: int, *framing: str, body: bytes = b"", pause: bytes = b"") -> Response:
    """Send a request with any framing; `pause` is sent in single bytes until there is a response."""
    fields = [f"{name}: {value}" for name, value in PAIRS]
    head = "\r\n".join([f"POST {PATH} HTTP/1.1", "Host: shop.example", *framing, *fields, "", ""])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(head.encode() + body)
        ended = threading.Event()
        dripping = threading.Thread(target=_drip, args=(connection, pause, ended))
        dripping.start()
        try:
            return read_response(connection)
        finally:
            ended.set()
            dripping.join()


def _drip(connection: socket.socket, piece: bytes, ended: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while piece and not ended.wait(0.01):
            connection.sendall(piece)


@contextlib.contextmanager
def serving(hosts: Callable[[Host], Iterator[Host]], app: Any, *, is_async: bool) -> Iterator[int]:
    host = Host(lambda: None, is_async=is_async)
    host.app = app
    running = contextlib.contextmanager(hosts)(host)
    with running as host:
        yield host.port


class _Quiet(WSGIRequestHandler):
    def log(self, *_: object) -> None:
        pass


def on_werkzeug(host: Host) -> Iterator[Host]:
    """Flask's own server, which reads chunked bodies."""
    server = make_server("127.0.0.1", 0, host.wsgi, threaded=True, request_handler=_Quiet)
    host.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield host
    server.shutdown()
    thread.join()
    server.server_close()


LENGTH = (f"Content-Length: {len(BODY)}", BODY)
CHUNKS = ("Transfer-Encoding: chunked", CHUNKED)


@pytest.mark.parametrize(("framing", "body"), [LENGTH, CHUNKS], ids=["length", "chunked"])
@pytest.mark.parametrize(
    ("read", "status", "codes"),
    [
        (lambda: request.get_data(), 204, []),
        (lambda: request.get_json(force=True), 204, []),
        (lambda: request.stream.read(), 500, ["body_already_parsed"]),
    ],
    ids=["get_data", "get_json", "stream"],
)
def test_a_body_that_flask_has_kept_is_received_and_one_that_is_gone_is_reported(
    framing: str, body: bytes, read: Callable[[], object], status: int, codes: list[str]
) -> None:
    receiver = Receiver(flask.webhook_view, is_async=False)
    app = Flask("shop")
    app.add_url_rule(PATH, view_func=receiver.app)

    @app.before_request
    def consume() -> None:
        read()

    with serving(on_werkzeug, app, is_async=False) as port:
        response = send_raw(port, framing, body=body)
    assert (response.status, receiver.codes) == (status, codes)
    assert len(receiver.handled) == (status == 204)


def test_a_body_that_flask_read_before_an_app_beside_it_is_reported() -> None:
    receiver = Receiver(wsgi.webhook_app, is_async=False)

    def consume(environ: dict[str, Any], start_response: Any) -> Any:
        with Flask("shop").request_context(environ):
            request.get_data()
        return receiver.app(environ, start_response)

    with serving(on_werkzeug, consume, is_async=False) as port:
        assert send_raw(port, CHUNKS[0], body=CHUNKED).status == 500
    assert receiver.codes == ["body_already_parsed"]


class _Middleware:
    """What reads the body before a view of Django."""

    read: Callable[[Any], object] = staticmethod(lambda request: request.body)

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[Any], Any]) -> None:
        self._get_response = get_response

    def __call__(self, request: Any) -> Any:
        type(self).read(request)
        return self._get_response(request)


DJANGO = [
    (django.webhook_view, False, frameworks.WSGIHandler, serve_wsgi),
    (django.async_webhook_view, True, frameworks.ASGIHandler, serve_asgi),
]


@pytest.mark.parametrize(
    ("read", "status", "codes"),
    [
        (lambda request: request.body, 204, []),
        (lambda request: request.POST, 204, []),
        (lambda request: request.read(), 500, ["body_already_parsed"]),
    ],
    ids=["body", "POST", "read"],
)
@pytest.mark.parametrize(("view", "is_async", "handler", "serve"), DJANGO, ids=["view", "async"])
def test_a_body_that_django_has_kept_is_received_and_one_that_is_gone_is_reported(
    view: Any,
    is_async: bool,
    handler: Any,
    serve: Any,
    read: Any,
    status: int,
    codes: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    receiver = Receiver(view, is_async=is_async)
    frameworks.django_urls(receiver.app)
    monkeypatch.setattr(_Middleware, "read", staticmethod(read))
    middleware = [f"{__name__}.{_Middleware.__name__}"]
    with (
        override_settings(MIDDLEWARE=middleware),
        serving(serve, handler(), is_async=is_async) as port,
    ):
        assert send(port, "POST", BODY, PAIRS).status == status
    assert receiver.codes == codes
    assert len(receiver.handled) == (status == 204)


@pytest.mark.parametrize(("view", "is_async", "handler", "serve"), DJANGO, ids=["view", "async"])
def test_django_receives_chunks_where_the_server_does(
    view: Any, is_async: bool, handler: Any, serve: Any
) -> None:
    receiver = Receiver(view, is_async=is_async, max_body_bytes=len(BODY))
    frameworks.django_urls(receiver.app)
    serve = serve if is_async else on_werkzeug
    with serving(serve, handler(), is_async=is_async) as port:
        assert send_raw(port, CHUNKS[0], body=CHUNKED).status == 204
        more = f"{len(BODY) + 1:x}\r\n".encode() + BODY + b" \r\n0\r\n\r\n"
        assert send_raw(port, CHUNKS[0], body=more).status == 413
    assert receiver.codes == ["payload_too_large"]


def test_a_chunked_body_that_django_takes_for_empty_is_reported() -> None:
    receiver = Receiver(django.webhook_view, is_async=False)
    frameworks.django_urls(receiver.app)
    with serving(serve_wsgi, frameworks.WSGIHandler(), is_async=False) as port:
        assert send_raw(port, CHUNKS[0], body=CHUNKED).status == 500
    assert receiver.codes == ["body_already_parsed"]
    assert "wsgi.input_terminated" in str(receiver.errors[0])


def test_a_limit_of_django_is_named() -> None:
    receiver = Receiver(django.webhook_view, is_async=False)
    frameworks.django_urls(receiver.app)
    with (
        override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=10),
        serving(serve_wsgi, frameworks.WSGIHandler(), is_async=False) as port,
    ):
        assert send(port, "POST", BODY, PAIRS).status == 413
    assert "DATA_UPLOAD_MAX_MEMORY_SIZE" in str(receiver.errors[0])


def _rows() -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM work")
        return list(cursor.fetchall())


def test_the_transaction_of_a_request_ends_as_its_event_does(tmp_path: Any) -> None:
    fails = [True, False]

    def handle(_event: Event) -> None:
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO work VALUES (1)")
        if fails.pop(0):
            raise RuntimeError("handler")

    view = django.webhook_view(Webhooks(SECRET), handle, on_error=lambda _: None)
    atomic = transaction.atomic(view)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE work (id INTEGER)")
    request = frameworks.django_request(BODY, HEADERS)
    assert atomic(request).status_code == 503
    assert _rows() == []
    assert atomic(request).status_code == 204
    assert len(_rows()) == 1


def test_an_async_view_of_django_needs_no_transaction() -> None:
    view: Any = django.async_webhook_view(Webhooks(SECRET), _ignore)
    assert "default" in view._non_atomic_requests
    assert view.csrf_exempt


async def _ignore(_event: Event) -> None:
    """Do nothing."""


def test_an_async_view_uses_a_blocking_store_in_the_thread_of_the_database() -> None:
    threads: list[object] = []

    class Store(MemoryDedupeStore):
        def begin(self, event_id: str, /) -> Lease:
            threads.append(threading.current_thread())
            return super().begin(event_id)

    class Blocking:
        """A store that is no `MemoryDedupeStore`."""

        def __init__(self) -> None:
            store = Store()
            self.begin, self.done, self.release = store.begin, store.done, store.release

    async def handle(_event: Event) -> None:
        threads.append(await sync_to_async(threading.current_thread)())

    view = django.async_webhook_view(Webhooks(SECRET), handle, store=Blocking())
    frameworks.django_urls(view)
    with serving(serve_asgi, frameworks.ASGIHandler(), is_async=True) as port:
        assert [send(port, "POST", BODY, PAIRS).status for _ in range(2)] == [204, 204]
    assert len(threads) == 3
    assert threads[0] is threads[1]


@pytest.mark.parametrize(
    ("read", "status"), [("body", 204), ("stream", 500)], ids=["body", "stream"]
)
def test_a_body_that_starlette_has_kept_is_received_and_one_that_is_gone_is_reported(
    read: str, status: int
) -> None:
    async def consume(request: Any, call_next: Any) -> Any:
        if read == "body":
            await request.body()
        else:
            [_ async for _ in request.stream()]
        return await call_next(request)

    receiver = Receiver(asgi.webhook_app, is_async=True)
    app = Starlette(routes=[Route(PATH, receiver.app)])
    app.add_middleware(BaseHTTPMiddleware, dispatch=consume)
    with serving(serve_asgi, app, is_async=True) as port:
        assert send(port, "POST", BODY, PAIRS).status == status
        assert send_raw(port, CHUNKS[0], body=CHUNKED).status == status
    assert receiver.codes == ([] if status == 204 else ["body_already_parsed"] * 2)


@pytest.mark.parametrize(("read", "status"), [("read", 204), ("content", 500)])
def test_a_body_that_aiohttp_has_kept_is_received_and_one_that_is_gone_is_reported(
    read: str, status: int
) -> None:
    receiver = Receiver(aiohttp.webhook_handler, is_async=True)

    async def consume(request: web.Request) -> web.StreamResponse:
        await (request.read() if read == "read" else request.content.read())
        response: web.StreamResponse = await receiver.app(request)
        return response

    host = frameworks.in_aiohttp()
    running = next(host)
    running.app = consume
    try:
        assert send(running.port, "POST", BODY, PAIRS).status == status
        assert send_raw(running.port, CHUNKS[0], body=CHUNKED).status == status
    finally:
        next(host, None)
    assert receiver.codes == ([] if status == 204 else ["body_already_parsed"] * 2)


ASYNC_HOSTS = [
    on_uvicorn,
    frameworks.on_hypercorn,
    frameworks.in_fastapi,
    frameworks.in_aiohttp,
]
BLOCKING_HOSTS = [on_wsgiref, frameworks.in_flask]


@pytest.fixture(params=ASYNC_HOSTS + BLOCKING_HOSTS, ids=lambda host: str(host.__name__))
def host(request: pytest.FixtureRequest) -> Iterator[Host]:
    yield from request.param()


def note(host: Host, **options: Any) -> tuple[list[str], list[Exception]]:
    handled: list[str] = []
    errors: list[Exception] = []
    webhooks = Webhooks(SECRET, **options.pop("webhooks", {}))
    host.receive(
        webhooks, lambda event: handled.append(event.id), on_error=errors.append, **options
    )
    return handled, errors


def test_a_sender_that_is_slow_gets_a_response_and_loses_its_connection(host: Host) -> None:
    handled, errors = note(host, body_timeout=0.1)
    # A server that blocks ends a read only where something comes.
    response = send_raw(host.port, "Content-Length: 100000", body=b"{", pause=b" ")
    assert response.status == 503
    [error] = errors
    assert type(error) is SupportChatError
    assert "within 0.1 s" in str(error)
    assert send(host.port, "POST", BODY, PAIRS).status == 204
    assert handled == [EVENT]


@pytest.mark.parametrize("host", ASYNC_HOSTS, indirect=True)
def test_a_sender_of_nothing_gets_a_response_too(host: Host) -> None:
    _, errors = note(host, body_timeout=0.1)
    assert send_raw(host.port, "Content-Length: 100", body=b"{").status == 503
    assert len(errors) == 1


def test_a_sender_that_hangs_up_is_reported_as_such(host: Host) -> None:
    reported = threading.Event()
    errors: list[Exception] = []

    def report(error: Exception) -> None:
        errors.append(error)
        reported.set()

    note(host)
    host.receive(Webhooks(SECRET), lambda _: None, on_error=report)
    send(host.port, "POST", BODY, PAIRS, cut=20)
    assert reported.wait(5)
    assert str(errors[0]) == "The sender disconnected before its body was complete."


def test_a_request_after_one_that_is_too_large_gets_its_response(host: Host) -> None:
    _, errors = note(host, webhooks={"max_body_bytes": len(BODY)})
    assert send(host.port, "POST", BODY + b" " * 3_000_000, PAIRS).status == 413
    assert send(host.port, "POST", BODY, PAIRS).status == 204
    assert [str(error) for error in errors] == ["The body is too large. (payload_too_large)"]


LAMBDA = {
    "requestContext": {"http": {"method": "POST"}},
    "headers": HEADERS,
    "body": BODY.decode(),
    "isBase64Encoded": False,
}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 204),
        ({"body": ENVELOPE}, 500),
        ({"body": ENVELOPE, "isBase64Encoded": True}, 500),
        ({"body": None}, 401),
        ({"body": "e", "isBase64Encoded": True}, 500),
        ({"headers": None}, 401),
        ({"multiValueHeaders": {name: [value, value] for name, value in PAIRS}}, 401),
        ({"requestContext": {"http": {"method": "GET"}}}, 405),
    ],
    ids=str,
)
def test_a_request_of_lambda_has_a_response(change: dict[str, Any], status: int) -> None:
    receiver = Receiver(aws_lambda.webhook_handler, is_async=False)
    response = receiver.app({**LAMBDA, **change}, None)
    allow = {"allow": "POST"} if status == 405 else {}
    assert response == {"statusCode": status, "headers": allow, "body": ""}


def test_what_is_no_request_for_lambda_is_an_error() -> None:
    receiver = Receiver(aws_lambda.webhook_handler, is_async=False)
    with pytest.raises(SupportChatError, match="function URL"):
        receiver.app({"Records": []}, None)
