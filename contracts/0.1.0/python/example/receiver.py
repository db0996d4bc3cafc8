"""Receives events, and handles each once."""

from __future__ import annotations

from collections.abc import Callable

from events import react
from support_chat.webhooks import Event, MemoryDedupeStore, Webhooks
from support_chat.webhooks.wsgi import WSGIApp, webhook_app


def receiver(
    webhooks: Webhooks, tell: Callable[[str], None], report: Callable[[Exception], None]
) -> WSGIApp:
    """An app for any WSGI server.

    Args:
        tell: Receives a line about each handled event.
        report: Receives refused deliveries and failures. The response never contains the reason.
    """

    def handle(event: Event) -> None:
        tell(f"{event.id}: {react(event)}")

    # In production a table whose key is the event's id, written in the transaction of the work.
    store = MemoryDedupeStore()
    return webhook_app(webhooks, handle, store=store, on_error=report)
