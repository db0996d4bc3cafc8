"""What is ASGI's own: scopes, messages, and what holds up an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from support_chat import SupportChatError
from support_chat.webhooks import (
    Event,
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

HANDLED = Response(204, None, b"")
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

    def ask(self, *messages: dict[str, Any], **scope: Any) -> Response | None:
        return ask_asgi(self.app, {**scope_of(), **scope}, messages)

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
    [(GONE, scope_of()), (GONE, CHUNKED), (part(b""), scope_of()), (part(b""), CHUNKED)],
    ids=["gone", "gone, chunked", "empty", "empty, chunked"],
)
def test_a_body_that_was_read_before_is_refused_with_a_hint(
    message: dict[str, Any], scope: dict[str, Any]
) -> None:
    receiver = Receiver()
    assert receiver.ask(message, **scope) == CONSUMED
    assert receiver.codes == ["body_already_parsed"]
    assert "await request.body()" in str(receiver.errors[0])


def test_a_sender_that_disconnects_is_no_event_and_no_error() -> None:
    receiver = Receiver()
    assert receiver.ask(part(BODY[:10], more=True), GONE) is None
    assert (receiver.handled, receiver.errors) == ([], [])


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


@pytest.mark.parametrize("hook", [handled, "log"])
def test_a_hook_that_nobody_awaits_is_refused_at_construction(hook: Any) -> None:
    with pytest.raises(SupportChatError, match="on_error must be a plain function"):
        asgi.webhook_app(Webhooks(SECRET), handled, on_error=hook)
