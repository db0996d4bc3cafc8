"""What the shop does about each kind of event."""

from __future__ import annotations

from support_chat import ConversationCsatEvent, ConversationHandoffEvent, KnowledgeIndexedEvent
from support_chat.webhooks import Event, UnknownEvent


def react(event: Event) -> str:
    """What was done, in a sentence."""
    match event:
        case ConversationHandoffEvent(data=data):
            return f"called the team to {data.conversation_id}: {data.reason}"
        case ConversationCsatEvent(data=data):
            if data.rating <= 2:
                return f"asked a manager to look at {data.conversation_id}"
            return f"thanked the team for {data.conversation_id}"
        case KnowledgeIndexedEvent(data=data):
            return f"the assistant knows {data.source.title}"
        # Kinds that are newer than the SDK are accepted: refused, they would be lost for good.
        case UnknownEvent():
            return f"ignored {event.event}, which this version does not know"
        case _:
            return f"counted {event.event}"
