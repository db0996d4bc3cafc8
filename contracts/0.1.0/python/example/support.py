"""What the shop's backend does with the API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from support_chat import (
    Conversation,
    ConversationSummary,
    Message,
    NotFoundError,
    Source,
    SupportChat,
)


@dataclass(frozen=True, slots=True)
class Order:
    """An order that was shipped."""

    number: str
    carrier: str


def list_conversations(client: SupportChat) -> list[ConversationSummary]:
    """Every conversation, whatever the number of pages."""
    return list(client.conversations.list())


def copy_conversations(
    client: SupportChat,
    save: Callable[[list[ConversationSummary], str | None], None],
    cursor: str | None = None,
) -> None:
    """Copy conversations a page at a time.

    Args:
        save: Stores a page together with the cursor of the next one, to go on from after a crash.
        cursor: Where an earlier run stopped.
    """
    for page in client.conversations.list(limit=100, cursor=cursor).iter_pages():
        save(page.data, page.next_cursor)


def format_transcript(conversation: Conversation) -> str:
    """The transcript as text, a line per message."""
    return "\n".join(
        f"{message.author.name or message.author.type}: {message.text}"
        for message in conversation.transcript
    )


def announce_shipment(client: SupportChat, conversation_id: str, order: Order) -> Message | None:
    """Tell a customer that their order is on its way.

    Gives None when the conversation is gone and nobody is left to tell.
    """
    try:
        return client.conversations.messages.create(
            conversation_id,
            text=f"Order {order.number} is on its way with {order.carrier}.",
            # Derived from the order: where the service honours it, a job that runs twice posts once.
            idempotency_key=f"shipment-{order.number}",
        )
    except NotFoundError:
        return None


def publish_shipping_policy(client: SupportChat) -> Source:
    """Hand the shipping policy to the assistant."""
    return client.knowledge.sources.create(
        type="text",
        title="Shipping",
        text="We ship within a day. Parcels take three to five working days.",
    )


def weekly_report(client: SupportChat) -> str:
    """The line that goes into the weekly report."""
    analytics = client.analytics.get()
    intent = next((top.intent for top in analytics.top_intents), "nothing")
    return (
        f"{analytics.conversation_volume} conversations, "
        f"{round(analytics.deflection_rate * 100)} % without a human, "
        f'most often "{intent}"'
    )
