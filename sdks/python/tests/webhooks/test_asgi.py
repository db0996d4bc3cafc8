"""What is ASGI's own: scopes, messages, and what holds up an event loop."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

import anyio
import pytest

from support_chat import SupportChatError
from support_chat.webhooks import (
    Event,
    HeldLease,
    Lease,
    MemoryDedupeStore,
    Webhooks,
    WebhookVerificationError,
    asgi,
)
from webhooks.deliveries import BODY, ENVELOPE, HEADERS, SECRET
from webhooks.requests import ask_asgi
from webhooks.servers import Response
from webhooks.test_store import Database

HANDLED, FAILED = Response(204, None, b""), Response(503, None, b"")
CONSUMED = Response(500, None, b"")
GONE = {"type": "http.disconnect"}


def scope_of(length: int | None = len(BODY), method: str = "POST") -> dict[str, Any]:
    headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    if length is not None:
        headers.append((b"content-length", str(length).encode()))
    return {"type": "http", "method": method, "headers": headers}


def part(body: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


class Receiver:
    """An app with a list of what its handler and its hook received."""

    def __init__(self, **options: Any) -> None:
        self.handled: list[str] = []
        self.errors: list[Exception] = []
        webhooks = Webhooks(SECRET, **options)
        self.app = asgi.webhook_app(webhooks, self._handle, on_error=self.errors.append)

    async def _handle(self, event: Event) -> None:
        self.handled.append(event.id)

    def ask(
        self, *parts: dict[str, Any], messages: Iterable[dict[str, Any]] = (), **scope: Any
    ) -> Response | None:
        return ask_asgi(self.app, {**scope_of(), **scope}, parts or messages)

    @property
    def codes(self) -> list[str]:
        refusals = [one for one in self.errors if isinstance(one, WebhookVerificationError)]
        assert len(refusals) == len(self.errors)
        return [error.code for error in refusals]


def test_a_body_comes_in_parts() -> None:
    receiver = Receiver()
    parts = [part(BODY[:10], more=True), part(b"", more=True), part(BODY[10:])]
    assert receiver.ask(*parts) == HANDLED
    whole = {"type": "http.request", "body": BODY}
    assert receiver.ask(whole, headers=scope_of(None)["headers"]) == HANDLED
    assert receiver.handled == [ENVELOPE["id"]] * 2


def test_a_length_beyond_the_limit_is_refused_before_anything_is_read() -> None:
    receiver = Receiver(max_body_bytes=len(BODY))
    for length in (len(BODY) + 1, int("9" * 4_000)):
        assert receiver.ask(**scope_of(length)) == Response(413, None, b"")
    assert receiver.codes == ["payload_too_large"] * 2


def test_a_body_beyond_the_limit_is_not_read_to_its_end() -> None:
    receiver = Receiver(max_body_bytes=len(BODY))
    parts = [part(BODY, more=True), part(b" ", more=True)]
    assert receiver.ask(*parts, **scope_of(None)) == Response(413, None, b"")
    assert receiver.codes == ["payload_too_large"]


CHUNKED = {"headers": [*scope_of(None)["headers"], (b"transfer-encoding", b"chunked")]}


@pytest.mark.parametrize(
    ("message", "scope"),
    [(part(b""), scope_of()), (part(b""), CHUNKED), (part(b""), scope_of(None))],
    ids=["with a length", "chunked", "of HTTP/2"],
)
def test_a_body_that_was_read_before_is_refused_with_a_hint(
    message: dict[str, Any], scope: dict[str, Any]
) -> None:
    receiver = Receiver()
    assert receiver.ask(message, **scope) == CONSUMED
    assert receiver.codes == ["body_already_parsed"]
    assert "await request.body()" in str(receiver.errors[0])


def test_a_body_of_no_bytes_is_no_body_that_was_read() -> None:
    receiver = Receiver()
    assert receiver.ask(part(b""), **scope_of(0)) == Response(401, None, b"")
    assert receiver.codes == ["signature_mismatch"]


@pytest.mark.parametrize("parts", [[], [part(BODY[:10], more=True)]], ids=["at once", "later"])
def test_a_sender_that_disconnects_is_reported_as_such(parts: list[dict[str, Any]]) -> None:
    receiver = Receiver()
    assert receiver.ask(*parts, GONE) == FAILED
    assert receiver.handled == []
    assert text_of(receiver) == "The sender disconnected before its body was complete."


def text_of(receiver: Receiver) -> str:
    """The one error of a receiver, which is no refusal."""
    [error] = receiver.errors
    assert type(error) is SupportChatError
    return str(error)


async def never() -> dict[str, Any]:
    await anyio.sleep_forever()
    raise AssertionError


async def dripping() -> dict[str, Any]:
    await anyio.sleep(0.001)
    return part(b" ", more=True)


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize("receive", [never, dripping])
def test_a_body_that_takes_too_long_is_given_up_with_its_connection(
    receive: Callable[[], Awaitable[dict[str, Any]]], backend: str
) -> None:
    receiver = Receiver()
    app = asgi.webhook_app(
        Webhooks(SECRET), handled, on_error=receiver.errors.append, body_timeout=0.02
    )
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    for version in ("1.1", "2"):
        anyio.run(app, {**scope_of(), "http_version": version}, receive, send, backend=backend)
    assert [message["status"] for message in sent[::2]] == [503, 503]
    assert [(b"connection", b"close") in message["headers"] for message in sent[::2]] == [
        True,
        False,
    ]
    del receiver.errors[1:]
    assert text_of(receiver).startswith("The body did not arrive within 0.02 s.")


@pytest.mark.parametrize("none", [None, 0])
def test_a_body_may_have_all_the_time(none: float | None) -> None:
    app = asgi.webhook_app(Webhooks(SECRET), handled, body_timeout=none)
    assert ask_asgi(app, scope_of(), [part(BODY)]) == HANDLED


@pytest.mark.parametrize("time", [-1, "15"])
def test_a_time_limit_that_means_nothing_is_refused(time: Any) -> None:
    with pytest.raises(SupportChatError, match="body_timeout must be 0 or more"):
        asgi.webhook_app(Webhooks(SECRET), handled, body_timeout=time)


def test_small_pieces_take_no_more_memory_than_their_body() -> None:
    size = 1_048_576
    receiver = Receiver()
    piece = b"[]"
    parts = (part(piece, more=number > 1) for number in range(size // 2, 0, -1))
    tracemalloc.start()
    assert receiver.ask(**scope_of(None), messages=parts) == Response(401, None, b"")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * size


def test_a_sender_that_disconnects_before_the_response_is_no_error() -> None:
    async def send(_: dict[str, Any]) -> None:
        raise ConnectionResetError

    async def receive() -> dict[str, Any]:
        return part(BODY)

    receiver = Receiver()
    asyncio.run(_run(receiver.app(scope_of(), receive, send)))
    assert (receiver.handled, receiver.errors) == ([ENVELOPE["id"]], [])


async def _run(flow: Awaitable[None]) -> None:
    await flow


def messages_to(app: Any, kind: str, *messages: str) -> list[dict[str, Any]]:
    """What an app sends in a scope that is no request."""
    waiting = iter(messages)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": next(waiting)}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app({"type": kind}, receive, send))
    return sent


def test_it_starts_and_ends_with_the_server() -> None:
    sent = messages_to(Receiver().app, "lifespan", "lifespan.startup", "lifespan.shutdown")
    assert sent == [{"type": "lifespan.startup.complete"}, {"type": "lifespan.shutdown.complete"}]


def test_it_takes_no_websockets() -> None:
    sent = messages_to(Receiver().app, "websocket", "websocket.connect")
    assert sent == [{"type": "websocket.close"}]


def test_it_says_which_scope_it_does_not_serve() -> None:
    with pytest.raises(SupportChatError, match="smtp"):
        messages_to(Receiver().app, "smtp")


class Recording(Database):
    """A store that notes what it is asked."""

    def __init__(self, state: Any = "new") -> None:
        self.asked: list[tuple[str, ...]] = []
        self.state = state

    async def begin(self, event_id: str, /) -> Lease:
        await asyncio.sleep(0)
        self.asked.append(("begin", event_id))
        return Lease(self.state, "token")

    async def done(self, event_id: str, token: str, /) -> None:
        await asyncio.sleep(0)
        self.asked.append(("done", event_id, token))

    async def release(self, event_id: str, token: str, /) -> None:
        await asyncio.sleep(0)
        self.asked.append(("release", event_id, token))


async def handled(_: Event) -> None:
    """Do nothing."""


async def failed(_: Event) -> None:
    raise RuntimeError("handler")


@pytest.mark.parametrize(
    ("handler", "state", "status", "asked"),
    [
        (handled, "new", 204, ["begin", "done"]),
        (failed, "new", 503, ["begin", "release"]),
        (failed, "done", 204, ["begin"]),
        (failed, "in_progress", 503, ["begin"]),
        (failed, "another", 503, ["begin"]),
    ],
)
def test_a_store_is_awaited(
    handler: Callable[[Event], Awaitable[None]], state: str, status: int, asked: list[str]
) -> None:
    store = Recording(state)
    app = asgi.webhook_app(Webhooks(SECRET), handler, store=store, on_error=lambda _: None)
    assert ask_asgi(app, scope_of(), [part(BODY)]) == Response(status, None, b"")
    rest = {"begin": (), "done": ("token",), "release": ("token",)}
    assert store.asked == [(name, ENVELOPE["id"], *rest[name]) for name in asked]


def test_a_task_that_is_cancelled_gives_its_event_back() -> None:
    async def main() -> None:
        store = Recording()
        entered = asyncio.Event()

        async def handler(_: Event) -> None:
            entered.set()
            await asyncio.Event().wait()

        async def receive() -> dict[str, Any]:
            return part(BODY)

        async def send(_: dict[str, Any]) -> None:
            pytest.fail("A task that is cancelled sends no response.")

        app = asgi.webhook_app(Webhooks(SECRET), handler, store=store)
        task = asyncio.create_task(_run(app(scope_of(), receive, send)))
        await entered.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert store.asked[-1] == ("release", ENVELOPE["id"], "token")

    asyncio.run(main())


def plain(_: object) -> None:
    """What would hold up the event loop."""


class Blocking:
    begin = done = release = staticmethod(plain)


class Handler:
    async def __call__(self, _: Event, *_rest: object) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    "handler", [handled, Handler(), partial(Handler().__call__), partial(handled)]
)
@pytest.mark.parametrize("store", [None, MemoryDedupeStore(), Database()])
def test_everything_async_is_accepted(handler: Any, store: Any) -> None:
    app = asgi.webhook_app(Webhooks(SECRET), handler, store=store, on_error=plain)
    assert ask_asgi(app, scope_of(), [part(BODY)]) == HANDLED


@pytest.mark.parametrize(
    "options",
    [
        {"handler": plain},
        {"handler": None},
        {"handler": Handler},
        {"store": Blocking()},
        {"store": object()},
        {"store": MemoryDedupeStore},
    ],
    ids=str,
)
def test_what_would_hold_up_the_event_loop_is_refused_at_construction(
    options: dict[str, Any],
) -> None:
    with pytest.raises(SupportChatError, match="must be an async function"):
        asgi.webhook_app(Webhooks(SECRET), **{"handler": handled, **options})


@pytest.mark.parametrize(
    ("lease", "text"),
    [
        (Lease("in_progress"), "evt_01J2Z91J4S is being handled by another process."),
        (HeldLease("web-3:812"), "evt_01J2Z91J4S is being handled by web-3:812."),
        (Lease("lost"), "The store returned the unknown state 'lost'."),  # type: ignore[arg-type]
    ],
)
def test_what_keeps_an_event_from_the_handler_is_told(lease: Lease, text: str) -> None:
    class Store(Database):
        async def begin(self, _event_id: str, /) -> Lease:
            return lease

    errors: list[Exception] = []
    app = asgi.webhook_app(Webhooks(SECRET), failed, store=Store(), on_error=errors.append)
    assert ask_asgi(app, scope_of(), [part(BODY)]) == FAILED
    assert str(errors[0]).startswith(text)


@pytest.mark.parametrize("hook", [handled, "log"])
def test_a_hook_that_nobody_awaits_is_refused_at_construction(hook: Any) -> None:
    with pytest.raises(SupportChatError, match="on_error must be a plain function"):
        asgi.webhook_app(Webhooks(SECRET), handled, on_error=hook)
