"""All of it, one after the other."""

from __future__ import annotations

import sys
from collections.abc import Callable

from explain import explain
from support import (
    Order,
    announce_shipment,
    copy_conversations,
    format_transcript,
    list_conversations,
    publish_shipping_policy,
    weekly_report,
)
from support_chat import ConversationSummary, SupportChat, SupportChatError


def main() -> None:
    # Reads SUPPORT_CHAT_API_KEY and SUPPORT_CHAT_BASE_URL.
    with SupportChat() as client:
        conversations = list_conversations(client)
        print(f"{len(conversations)} conversations")

        copy_conversations(client, report_page)

        waiting = next((one for one in conversations if one.status == "handed_off"), None)
        if not waiting:
            sys.exit("No conversation waits for a human.")
        conversation = client.conversations.get(waiting.id)
        if conversation.handoff:
            print(f"{conversation.id} waits for a human: {conversation.handoff.reason}")

        message = announce_shipment(client, waiting.id, Order(number="20418", carrier="DHL"))
        print(f"posted: {message.text}" if message else "the conversation is gone")
        print(format_transcript(client.conversations.get(waiting.id)))

        source = publish_shipping_policy(client)
        print(f"added {source.title}, {source.status}")

        print(weekly_report(client))

        # What goes wrong is an error of its own class.
        print(refusal(lambda: client.conversations.messages.create(waiting.id, text="")))
        mistaken = client.with_options(api_key="sk_live_example")
        print(refusal(mistaken.analytics.get))


def report_page(conversations: list[ConversationSummary], next_cursor: str | None) -> None:
    """Stand in for a database."""
    following = f"more from {next_cursor}" if next_cursor else "the last page"
    print(f"copied {len(conversations)}, {following}")


def refusal(call: Callable[[], object]) -> str:
    """Why a call is refused, which it must be."""
    try:
        call()
    except SupportChatError as error:
        return explain(error)
    raise RuntimeError("The call should have been refused.")


if __name__ == "__main__":
    try:
        main()
    except SupportChatError as error:
        sys.exit(explain(error))
