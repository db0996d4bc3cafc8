"""Routers of kinds, and receivers without a server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from typing_extensions import assert_type

from support_chat import ConversationCreatedEvent, ConversationHandoffEvent, SupportChatError
from support_chat._generated.policy import WEBHOOKS_REFUSALS
from support_chat.testing import SampleKind, fake_delivery
from support_chat.webhooks import (
    EVENT_KINDS,
    AsyncWebhookReceiver,
    AsyncWebhookRouter,
    Event,
    MemoryDedupeStore,
    WebhookReceiver,
    WebhookRouter,
    Webhooks,
    WebhookVerificationError,
    asgi,
    wsgi,
)
from webhooks.deliveries import BODY, ENVELOPE, HEADERS, SECRET, signed
from webhooks.test_store import Database


def deliver(receiver: WebhookReceiver, kind: SampleKind) -> int:
    delivery = fake_delivery(kind, secret=SECRET)
    return receiver.receive(delivery.body, delivery.headers)


def test_each_kind_has_its_handler_and_the_rest_another() -> None:
    router = WebhookRouter()
    seen: list[str] = []

    @router.on("conversation.handoff")
    def handoff(event: ConversationHandoffEvent) -> int:
        seen.append(event.data.reason)
        return 1

    @router.on("conversation.created")
    def created(event: ConversationCreatedEvent) -> None:
        seen.append(event.id)

    @router.otherwise
    def rest(event: Event) -> None:
        seen.append(event.event)

    assert_type(handoff(ConversationHandoffEvent.from_dict(ENVELOPE)), int)
    seen.clear()
    receiver = WebhookReceiver(Webhooks(SECRET), router)
    kinds: list[SampleKind] = [
        "conversation.handoff",
        "conversation.created",
        "conversation.csat",
        "future",
    ]
    assert [deliver(receiver, kind) for kind in kinds] == [204] * 4
    assert seen == [
        "The visitor asked for a human.",
        "evt_01J2Z8M3W0",
        "conversation.csat",
        "future.event",
    ]


def test_an_event_without_a_handler_is_ignored() -> None:
    receiver = WebhookReceiver(Webhooks(SECRET), WebhookRouter())
    assert deliver(receiver, "conversation.handoff") == 204


def test_one_handler_has_several_kinds() -> None:
    router = WebhookRouter()
    seen: list[str] = []

    @router.on("conversation.created")
    @router.on("conversation.resolved")
    def handle(event: Event) -> None:
        seen.append(event.event)

    receiver = WebhookReceiver(Webhooks(SECRET), router)
    assert deliver(receiver, "conversation.created") == 204
    assert deliver(receiver, "conversation.resolved") == 204
    assert seen == ["conversation.created", "conversation.resolved"]


def test_a_handler_that_fails_brings_its_event_again() -> None:
    router = WebhookRouter()

    @router.otherwise
    def handle(_event: Event) -> None:
        raise RuntimeError("handler")

    errors: list[Exception] = []
    receiver = WebhookReceiver(Webhooks(SECRET), router, on_error=errors.append)
    assert deliver(receiver, "future") == 503
    assert [str(error) for error in errors] == ["handler"]


def test_an_async_router_awaits_its_handlers() -> None:
    router = AsyncWebhookRouter()
    seen: list[str] = []

    @router.on("conversation.handoff")
    async def handoff(event: ConversationHandoffEvent) -> str:
        await asyncio.sleep(0)
        seen.append(event.data.reason)
        return event.id

    @router.otherwise
    async def rest(event: Event) -> None:
        seen.append(event.event)

    async def main() -> list[int]:
        receiver = AsyncWebhookReceiver(Webhooks(SECRET), router, store=MemoryDedupeStore())
        asgi.webhook_app(Webhooks(SECRET), router)
        kinds: list[SampleKind] = ["conversation.handoff", "conversation.handoff", "future"]
        deliveries = [fake_delivery(kind, secret=SECRET) for kind in kinds]
        return [await receiver.receive(one.body, one.headers) for one in deliveries]

    assert asyncio.run(main()) == [204] * 3
    assert seen == ["The visitor asked for a human.", "future.event"]


def plain(_event: Any) -> None:
    """Do nothing."""


async def asynchronous(_event: Any) -> None:
    """Do nothing."""


@pytest.mark.parametrize(
    ("router", "right", "wrong"),
    [(WebhookRouter, plain, asynchronous), (AsyncWebhookRouter, asynchronous, plain)],
)
def test_a_mistake_is_an_error_at_once(router: Any, right: Any, wrong: Any) -> None:
    one = router()
    for register in (one.on("conversation.handoff"), one.otherwise):
        with pytest.raises(SupportChatError, match="function"):
            register(wrong)
        assert register(right) is right
        with pytest.raises(SupportChatError, match="already"):
            register(right)
    with pytest.raises(SupportChatError, match="but conversation"):
        one.on("conversation.handof")


def test_a_router_knows_every_kind() -> None:
    router: Any = WebhookRouter()
    for kind in EVENT_KINDS:
        router.on(kind)(plain)


def test_a_router_is_the_handler_of_apps() -> None:
    wsgi.webhook_app(Webhooks(SECRET), WebhookRouter())
    with pytest.raises(SupportChatError, match="must be a plain function"):
        WebhookReceiver(Webhooks(SECRET), AsyncWebhookRouter())
    with pytest.raises(SupportChatError, match="must be an async function"):
        AsyncWebhookReceiver(Webhooks(SECRET), WebhookRouter())  # type: ignore[arg-type]


def test_a_receiver_returns_the_status_and_never_raises() -> None:
    errors: list[Exception] = []
    store = MemoryDedupeStore()
    receiver = WebhookReceiver(Webhooks(SECRET), plain, store=store, on_error=errors.append)
    given: list[Any] = [
        (BODY, HEADERS),
        (BODY.decode(), [*HEADERS.items()]),
        (ENVELOPE, HEADERS),
        (BODY, None),
        (b"{", {"x-service-signature": signed(b"{")}),
    ]
    assert [receiver.receive(*one) for one in given] == [204, 204, 500, 401, 400]
    assert [getattr(error, "status", None) for error in errors] == [500, 401, 400]


def test_a_clock_that_fails_is_no_error_of_the_caller() -> None:
    def fail() -> float:
        raise RuntimeError("clock")

    errors: list[Exception] = []
    webhooks = Webhooks(SECRET, tolerance=1, now=fail)
    receiver = WebhookReceiver(webhooks, plain, on_error=errors.append)
    assert receiver.receive(BODY, HEADERS) == 503
    assert [str(error) for error in errors] == ["clock"]


def test_a_refusal_in_a_handler_is_a_failure() -> None:
    def handle(_event: Event) -> None:
        raise WebhookVerificationError("signature_mismatch")

    receiver = WebhookReceiver(Webhooks(SECRET), handle, on_error=plain)
    assert receiver.receive(BODY, HEADERS) == 503


def test_a_store_of_the_other_kind_is_refused() -> None:
    with pytest.raises(SupportChatError, match=r"store\.begin must be a plain function"):
        WebhookReceiver(Webhooks(SECRET), plain, store=Database())  # type: ignore[arg-type]


@pytest.mark.parametrize("code", WEBHOOKS_REFUSALS)
def test_an_error_has_the_status_of_its_response(code: Any) -> None:
    assert WebhookVerificationError(code).status == WEBHOOKS_REFUSALS[code]


def test_the_secret_of_a_signature_is_told() -> None:
    told: list[int] = []
    webhooks = Webhooks(["whsec_new", "whsec_old", "whsec_new"], on_verified=told.append)
    for secret in ("whsec_new", "whsec_old"):
        webhooks.unwrap(BODY, {"x-service-signature": signed(BODY, secret)})
        webhooks.verify(BODY, {"x-service-signature": signed(BODY, secret).upper().lower()})
    with pytest.raises(WebhookVerificationError):
        webhooks.unwrap(b"{", {"x-service-signature": signed(b"{", "whsec_old")})
    with pytest.raises(WebhookVerificationError):
        webhooks.unwrap(BODY, HEADERS)
    assert told == [0, 0, 1, 1, 1]


def test_an_error_of_what_is_told_changes_nothing() -> None:
    def fail(_index: int) -> None:
        raise RuntimeError("hook")

    assert Webhooks(SECRET, on_verified=fail).unwrap(BODY, HEADERS).id == ENVELOPE["id"]
