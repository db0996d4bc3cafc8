"""What a receiver tells of refusals and failures, and what ends it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from support_chat.webhooks import Event, MemoryDedupeStore, Webhooks, wsgi
from webhooks.deliveries import BODY, ENVELOPE, HEADERS, SECRET, SIGNATURE
from webhooks.requests import ask_wsgi, environ_of

HANDLER_ERROR = RuntimeError("the handler's")


def status_of(handler: Callable[[Event], object] = id, secret: str = SECRET, **options: Any) -> int:
    webhooks = Webhooks(secret, **options.pop("of_webhooks", {}))
    app = wsgi.webhook_app(webhooks, handler, **options)
    return ask_wsgi(app, environ_of("POST", BODY, HEADERS.items())).status


def raising(error: BaseException) -> Callable[..., Any]:
    def call(*_: object) -> None:
        raise error

    return call


def test_a_refusal_is_a_warning_of_the_log_without_secret_digest_or_body(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert status_of(secret="whsec_of_another") == 401
    [record] = caplog.records
    assert (record.name, record.levelno) == ("support_chat.webhooks", logging.WARNING)
    text = caplog.text
    assert "signature_mismatch" in text
    hidden = ["whsec_of_another", SIGNATURE[-20:], ENVELOPE["data"]["conversation_id"]]
    assert [one for one in hidden if one in text] == []


def test_a_failure_is_an_error_of_the_log_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert status_of(raising(HANDLER_ERROR)) == 503
    [record] = caplog.records
    assert (record.name, record.levelno) == ("support_chat.webhooks", logging.ERROR)
    assert record.exc_info
    assert record.exc_info[1] is HANDLER_ERROR
    assert ENVELOPE["data"]["conversation_id"] not in caplog.text


def test_the_log_is_left_alone_where_there_is_a_hook(caplog: pytest.LogCaptureFixture) -> None:
    errors: list[Exception] = []
    assert status_of(raising(HANDLER_ERROR), on_error=errors.append) == 503
    assert errors == [HANDLER_ERROR]
    assert caplog.records == []


def test_a_clock_that_fails_is_a_failure_too() -> None:
    errors: list[Exception] = []
    webhooks = {"now": raising(HANDLER_ERROR), "tolerance": 60}
    assert status_of(on_error=errors.append, of_webhooks=webhooks) == 503
    assert errors == [HANDLER_ERROR]


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_ends_the_process_gives_the_event_back_first(end: type[BaseException]) -> None:
    store = MemoryDedupeStore()
    errors: list[Exception] = []
    with pytest.raises(end):
        status_of(raising(end()), store=store, on_error=errors.append)
    assert store.begin(ENVELOPE["id"]).state == "new"
    assert errors == []


def test_what_ends_the_process_does_so_although_the_store_fails() -> None:
    errors: list[Exception] = []
    broken = RuntimeError("store")

    class Broken(MemoryDedupeStore):
        def release(self, event_id: str, token: str, /) -> None:
            raise broken

    with pytest.raises(KeyboardInterrupt):
        status_of(raising(KeyboardInterrupt()), store=Broken(), on_error=errors.append)
    assert errors == [broken]


def test_a_refusal_that_the_handler_raises_is_a_failure() -> None:
    def handler(_: Event) -> None:
        Webhooks("another").verify(BODY, HEADERS)

    assert status_of(handler, on_error=id) == 503
