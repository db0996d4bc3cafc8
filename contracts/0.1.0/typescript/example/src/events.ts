import { isUnknownEvent, type WebhookEvent } from '@support-chat/sdk/webhooks'

/** What the shop does about an event, in a sentence. */
export function react(event: WebhookEvent): string {
  // Kinds that are newer than the SDK are accepted: refused, they would be lost for good.
  if (isUnknownEvent(event)) return `ignored ${event.event}, which this version does not know`

  switch (event.event) {
    case 'conversation.handoff':
      return `called the team to ${event.data.conversation_id}: ${event.data.reason}`
    case 'conversation.csat':
      return event.data.rating <= 2
        ? `asked a manager to look at ${event.data.conversation_id}`
        : `thanked the team for ${event.data.conversation_id}`
    case 'knowledge.indexed':
      return `the assistant knows ${event.data.source.title}`
    default:
      return `counted ${event.event}`
  }
}
