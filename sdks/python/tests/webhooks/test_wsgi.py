"""What is WSGI's own: bodies of every framing, and what else may be in an environment."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from support_chat import SupportChatError
from support_chat.webhooks import (
    Event,
    MemoryDedupeStore,
    Webhooks,
    WebhookVerificationError,
    wsgi,
)
from webhooks.deliveries import BODY, HEADERS, SECRET
from webhooks.requests import ask_wsgi, environ_of
from webhooks.servers import Host, Response, on_wsgiref, send
from webhooks.test_store import Database

PAIRS = [*HEADERS.items()]
HANDLED, FAILED = Response(204, None, b""), Response(503, None, b"")


class Receiver:
    """An app with a list of what its handler and its hook received."""

    def __init__(self, **options: Any) -> None:
        self.handled: list[Event] = []
        self.errors: list[Exception] = []
        webhooks = Webhooks(SECRET, **options)
        self.app = wsgi.webhook_app(webhooks, self.handled.append, on_error=self.errors.append)

    def ask(self, **changes: Any) -> Response:
        environ = {**environ_of("POST", BODY, PAIRS), **changes}
        return ask_wsgi(self.app, {name: one for name, one in environ.items() if one is not None})

    @property
    def codes(self) -> list[str]:
        refusals = [one for one in self.errors if isinstance(one, WebhookVerificationError)]
        assert len(refusals) == len(self.errors)
        return [error.code for error in refusals]


class Stream:
    """A body without end that notes how much of it is read."""

    def __init__(self) -> None:
        self.size = 0

    def read(self, size: int) -> bytes:
        self.size += size
        return b" " * size


class Broken:
    """A stream that raises."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def read(self, _size: int) -> bytes:
        raise self.error


def test_a_body_is_read_to_its_length_and_no_further() -> None:
    receiver = Receiver()
    stream = io.BytesIO(BODY + b"POST / HTTP/1.1")
    assert receiver.ask(**{"wsgi.input": stream}) == HANDLED
    assert stream.read() == b"POST / HTTP/1.1"


@pytest.mark.parametrize("length", [None, "", "+7", "-1", "seven", "²"])
def test_a_body_without_a_length_is_read_to_its_end_where_the_server_marks_that(
    length: str | None,
) -> None:
    receiver = Receiver()
    assert receiver.ask(CONTENT_LENGTH=length, **{"wsgi.input_terminated": True}) == HANDLED
    assert receiver.ask(CONTENT_LENGTH=length).status == 500
    assert receiver.codes == ["body_already_parsed"]


def test_a_server_that_cannot_read_chunks_is_recognized() -> None:
    receiver = Receiver()
    changes = {"CONTENT_LENGTH": None, "HTTP_TRANSFER_ENCODING": "chunked"}
    assert receiver.ask(**changes) == Response(500, None, b"")
    assert receiver.codes == ["body_already_parsed"]
    assert "wsgi.input_terminated" in str(receiver.errors[0])


@pytest.mark.parametrize("length", [str(len(BODY) + 1), "9" * 5_000])
def test_a_length_beyond_the_limit_is_refused_before_anything_is_read(length: str) -> None:
    receiver = Receiver(max_body_bytes=len(BODY))
    broken = Broken(AssertionError("read"))
    response = receiver.ask(CONTENT_LENGTH=length, **{"wsgi.input": broken})
    assert response == Response(413, None, b"")
    assert receiver.codes == ["payload_too_large"]


def test_no_more_than_the_limit_is_read_of_a_body_without_end() -> None:
    receiver = Receiver(max_body_bytes=100_000)
    stream = Stream()
    changes = {"CONTENT_LENGTH": None, "wsgi.input_terminated": True, "wsgi.input": stream}
    assert receiver.ask(**changes) == Response(413, None, b"")
    assert stream.size == 100_001


def test_a_body_that_was_read_before_is_refused_with_a_hint() -> None:
    receiver = Receiver()
    assert receiver.ask(**{"wsgi.input": io.BytesIO()}) == Response(500, None, b"")
    assert receiver.codes == ["body_already_parsed"]
    hint = str(receiver.errors[0])
    assert "request.get_data()" in hint
    assert "request.body" in hint


def test_a_chunked_body_that_was_read_before_is_recognized() -> None:
    receiver = Receiver()
    empty = {"CONTENT_LENGTH": None, "wsgi.input_terminated": True, "wsgi.input": io.BytesIO()}
    assert receiver.ask(**empty) == Response(500, None, b"")
    assert receiver.codes == ["body_already_parsed"]


def test_a_body_of_no_bytes_is_no_body_that_was_read() -> None:
    receiver = Receiver()
    assert receiver.ask(CONTENT_LENGTH="0").status == 401
    assert receiver.codes == ["signature_mismatch"]


class Dripping:
    """A body of which a byte comes at a time, each when the clock has gone on."""

    def __init__(self) -> None:
        self.time = 0.0

    def read1(self, _size: int) -> bytes:
        self.time += 1
        return b" "


def test_a_body_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    receiver = Receiver()
    stream = Dripping()
    monkeypatch.setattr(wsgi, "monotonic", lambda: stream.time)
    assert receiver.ask(**{"wsgi.input": stream}) == FAILED
    assert stream.time == 16
    assert [str(error) for error in receiver.errors] == [
        "The body did not arrive within 15 s. Either the sender is slow, or a middleware has read "
        "the body."
    ]


def test_a_body_that_a_middleware_of_flask_has_read_is_reported() -> None:
    receiver = Receiver()
    shop = Flask("shop")
    mounted = DispatcherMiddleware(shop.wsgi_app, {"/hooks": receiver.app})

    def middleware(environ: dict[str, Any], start_response: Any) -> Any:
        environ["wsgi.input"].read()
        return mounted(environ, start_response)

    shop.wsgi_app = middleware  # type: ignore[method-assign]  # as Flask's own documentation does it
    response = shop.test_client().post("/hooks/", data=BODY, headers=PAIRS)
    assert response.status_code == 500
    assert receiver.codes == ["body_already_parsed"]


def test_a_sender_that_disconnects_is_reported_as_such() -> None:
    receiver = Receiver()
    assert receiver.ask(**{"wsgi.input": io.BytesIO(BODY[:-1])}) == FAILED
    assert receiver.ask(**{"wsgi.input": Broken(ConnectionResetError())}) == FAILED
    assert receiver.handled == []
    gone = "The sender disconnected before its body was complete."
    assert [str(error) for error in receiver.errors] == [gone, gone]


def test_a_failing_stream_is_reported_and_retried() -> None:
    receiver = Receiver()
    error = RuntimeError("stream")
    assert receiver.ask(**{"wsgi.input": Broken(error)}) == FAILED
    assert (receiver.handled, receiver.errors) == ([], [error])


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    yield from on_wsgiref()


def test_a_connection_that_breaks_leaves_the_server_as_it_was(host: Host) -> None:
    receiver = Receiver()
    host.app = receiver.app
    send(host.port, "POST", BODY, PAIRS, cut=20)
    assert send(host.port, "POST", BODY, PAIRS) == HANDLED
    assert len(receiver.handled) == 1


async def asynchronous(_: object) -> None:
    """What this app cannot wait for."""


ASYNCHRONOUS: list[dict[str, Any]] = [
    {"handler": asynchronous},
    {"handler": None},
    {"store": Database()},
    {"store": object()},
    {"on_error": asynchronous},
    {"on_error": "log"},
]


@pytest.mark.parametrize("options", ASYNCHRONOUS, ids=str)
def test_what_it_cannot_call_is_refused_at_construction(options: dict[str, Any]) -> None:
    with pytest.raises(SupportChatError, match="must be a plain function"):
        wsgi.webhook_app(Webhooks(SECRET), **{"handler": print, **options})


def test_one_of_many_requests_at_once_is_handled(host: Host) -> None:
    handled: list[Event] = []
    host.receive(Webhooks(SECRET), handled.append, store=MemoryDedupeStore())
    with ThreadPoolExecutor(8) as threads:
        statuses = {*threads.map(lambda _: send(host.port, "POST", BODY, PAIRS).status, range(40))}
    assert len(handled) == 1
    assert statuses <= {204, 503}
