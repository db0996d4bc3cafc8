/**
 * The sandbox's state in its own words. They stay what they are whatever the contract says: `bindings.ts`
 * gives them the contract's form.
 */
import type { Conversation, Counts, Message, Source, Thread } from '../store/types.ts'

export interface Summary {
  id: string
  status: string
  created_at: string
  updated_at: string
}

export interface ThreadMessage {
  id: string
  conversation_id: string
  author: { type: string; name: string | null }
  text: string
  created_at: string
}

/** A conversation with its messages. */
export interface Whole extends Summary {
  transcript: ThreadMessage[]
  handoff: { reason: string; requested_at: string } | null
}

export interface KnownSource {
  id: string
  type: string
  title: string
  status: 'pending' | 'indexing' | 'indexed' | 'failed'
  created_at: string
}

/** The states of a conversation. */
export const STATUSES = ['open', 'handed_off', 'resolved'] as const

/** A time as the API writes it: RFC 3339 in UTC, without milliseconds where they are zero. */
export function timestamp(at: number): string {
  if (at === latest.at) return latest.text
  const time = new Date(at).toISOString()
  latest = { at, text: at % 1000 === 0 ? time.replace('.000Z', 'Z') : time }
  return latest.text
}

/** One step writes its time several times. */
let latest = { at: Number.NaN, text: '' }

/** A conversation without the text that {@link listed} adds. */
export type Unlisted = Omit<Conversation, 'json'>

export function summaryOf(conversation: Unlisted): Summary {
  const { id, status, createdAt, updatedAt } = conversation
  return { id, status, created_at: timestamp(createdAt), updated_at: timestamp(updatedAt) }
}

/** A conversation with its JSON text as lists show it. */
export function listed(conversation: Unlisted): Conversation {
  return { ...conversation, json: JSON.stringify(summaryOf(conversation)) }
}

export function conversationJson({ json, handoff, transcript }: Thread): string {
  const rest = {
    handoff: handoff && { reason: handoff.reason, requested_at: timestamp(handoff.requestedAt) },
  } satisfies Pick<Whole, 'handoff'>
  // Keeps stored JSON as text: to parse and serialise it again would cost more than all the rest.
  return `${json.slice(0, -1)},"transcript":[${transcript}],${JSON.stringify(rest).slice(1)}`
}

export function messageOf(
  id: string,
  conversationId: string,
  author: ThreadMessage['author'],
  text: string,
  at: number,
): Message & { value: ThreadMessage } {
  const value: ThreadMessage = {
    id,
    conversation_id: conversationId,
    author,
    text,
    created_at: timestamp(at),
  }
  return { id, conversationId, json: JSON.stringify(value), value }
}

/** What a request says about a source; any of it may be missing. */
export interface SourceParams {
  type?: unknown
  title?: unknown
  name?: unknown
  url?: unknown
}

export function sourceOf(id: string, params: SourceParams, at: number): KnownSource {
  const { type, title, name, url } = params
  return {
    id,
    type: String(type ?? ''),
    title: String(title ?? name ?? url ?? ''),
    status: 'pending',
    created_at: timestamp(at),
  }
}

export function readSource(source: Source): KnownSource {
  return JSON.parse(source.json)
}

export function analyticsOf({ conversations, deflected, intents }: Counts) {
  return {
    conversation_volume: conversations,
    deflection_rate: conversations === 0 ? 0 : Math.round((deflected / conversations) * 1e4) / 1e4,
    top_intents: intents,
  }
}
