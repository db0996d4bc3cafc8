/**
 * The sandbox's state in the shapes of the API. Their types are the SDK's, which are generated from the
 * contract: when a shape changes there, this file no longer compiles.
 */
import type {
  Analytics,
  Conversation as ApiConversation,
  Message as ApiMessage,
  Source as ApiSource,
  ConversationSummary,
  SourceCreateParams,
} from '@support-chat/sdk'
import type { KnownEvent } from '@support-chat/sdk/webhooks'
import type { Conversation, Counts, Event, Message, Source, Thread } from '../store/types.ts'

type Kind = KnownEvent['event']
export type DataOf<K extends Kind> = Extract<KnownEvent, { event: K }>['data']

/** A time as the API writes it: RFC 3339 in UTC, without milliseconds where they are zero. */
export function timestamp(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}

/** A conversation without the text that {@link listed} adds. */
export type Unlisted = Omit<Conversation, 'json'>

export function summaryOf(conversation: Unlisted): ConversationSummary {
  const { id, status, createdAt, updatedAt } = conversation
  return {
    id,
    status: status as ConversationSummary['status'],
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  }
}

/** A conversation with its JSON text as lists show it. */
export function listed(conversation: Unlisted): Conversation {
  return { ...conversation, json: JSON.stringify(summaryOf(conversation)) }
}

export function conversationJson({ json, handoff, transcript }: Thread): string {
  const rest = {
    handoff: handoff && { reason: handoff.reason, requested_at: timestamp(handoff.requestedAt) },
  } satisfies Pick<ApiConversation, 'handoff'>
  // Keeps stored JSON as text: to parse and serialise it again would cost more than all the rest.
  return `${json.slice(0, -1)},"transcript":[${transcript}],${JSON.stringify(rest).slice(1)}`
}

export function messageOf(
  id: string,
  conversationId: string,
  author: ApiMessage['author'],
  text: string,
  at: number,
): Message & { value: ApiMessage } {
  const value: ApiMessage = {
    id,
    conversation_id: conversationId,
    author,
    text,
    created_at: timestamp(at),
  }
  return { id, conversationId, json: JSON.stringify(value), value }
}

export function sourceOf(id: string, params: SourceCreateParams, at: number): ApiSource {
  return {
    id,
    type: params.type,
    title: titleOf(params),
    status: 'pending',
    created_at: timestamp(at),
  }
}

function titleOf(params: SourceCreateParams): string {
  if (params.type === 'url') return params.url
  return params.type === 'text' ? params.title : params.name
}

export function readSource(source: Source): ApiSource {
  return JSON.parse(source.json)
}

export function analyticsOf({ conversations, deflected, intents }: Counts): Analytics {
  return {
    conversation_volume: conversations,
    deflection_rate: conversations === 0 ? 0 : Math.round((deflected / conversations) * 1e4) / 1e4,
    top_intents: intents,
  }
}

/** The URL of a conversation. */
export function transcriptUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/v1/conversations/${encodeURIComponent(id)}`
}

/** An event with the text that is signed. */
export function eventOf<K extends Kind>(id: string, kind: K, at: number, data: DataOf<K>): Event {
  return envelopeOf(id, kind, at, data)
}

/** The same for any kind and data. */
export function envelopeOf(id: string, kind: string, at: number, data: object): Event {
  const body = JSON.stringify({ event: kind, id, occurred_at: timestamp(at), data })
  return { id, kind, occurredAt: at, body }
}
