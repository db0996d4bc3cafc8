/**
 * What the store holds. Times are milliseconds since 1970: `At` on a sandbox's own clock, `due` on the
 * real one.
 */

/** The data of one API key. */
export interface Sandbox {
  id: number
  /** How far its clock is ahead of the real one, in milliseconds. */
  offset: number
  /** How often it was reset. */
  generation: number
  /** Set where it has notes. */
  hasNotes?: true
}

export interface Conversation {
  id: string
  status: string
  createdAt: number
  updatedAt: number
  /** Grows with every change of any conversation; lists go by it. */
  position: number
  /** The visitor's name. */
  visitor: string | null
  /** The visitor's intent, once it is known. */
  intent: string | null
  handoff: { reason: string; requestedAt: number } | null
  rating: number | null
  /** As lists of the API show it. */
  json: string
}

/** What the API shows of a conversation alone. */
export interface Thread extends Pick<Conversation, 'json' | 'handoff'> {
  /** All messages as the inside of a JSON array. */
  transcript: string
}

/** What a list needs of a conversation. */
export type Listed = Pick<Conversation, 'position' | 'json'>

export interface Message {
  id: string
  conversationId: string
  /** As the API shows it. */
  json: string
}

export interface Source {
  id: string
  /** As the API shows it. */
  json: string
  /** When its next state comes; null in its last one. */
  due: number | null
}

export interface Event {
  id: string
  kind: string
  occurredAt: number
  /** The exact text that is signed and sent. */
  body: string
  /** The revision of the contract that it follows; null for the first one. @default null */
  revision?: string | null
  /** The revisions that have events of their own: their endpoints do not receive it. @default none */
  others?: readonly string[]
  /** How often each endpoint gets it. @default 1 */
  copies?: number
  /** Its place in a trace, as in the header `traceparent`; null for none. @default null */
  trace?: string | null
}

/** An event that happened. */
export interface Logged extends Omit<Event, 'revision' | 'others' | 'copies' | 'trace'> {
  /** Grows with every event; the log goes by it. */
  position: number
}

/** How the URL of a listener starts: an endpoint whose deliveries consumers poll for. */
export const LISTENER_SCHEME = 'listen:'

export function isListener({ url }: Pick<Endpoint, 'url'>): boolean {
  return url.startsWith(LISTENER_SCHEME)
}

export interface Endpoint {
  id: string
  url: string
  /** The kinds that it receives; null for all. */
  kinds: string[] | null
  secret: string
  /** The revision of the contract whose events it receives; null for the first one. @default null */
  revision?: string | null
  /** Whether it gets no events. @default false */
  isDisabled?: boolean
}

/** The state of a sandbox at one moment. */
export interface Snapshot {
  name: string
  /** When it was taken, in real time. */
  at: number
}

/** The response to a request that had an idempotency key. */
export interface Remembered {
  /** Operation and key. */
  scope: string
  status: number
  body: string
}

/** What one step changes, all of it or nothing. */
export interface Change {
  conversation?: Conversation
  /** The conversation as it was read; null for a new one. */
  before?: Conversation | null
  messages?: Message[]
  source?: Source
  /** The source as it was read. @default it is a new one */
  sourceBefore?: Source
  /** Each is due at once for every endpoint that wants its kind. */
  events?: Event[]
  remembered?: Remembered
}

/** Another process changed the conversation or source meanwhile. Read it again. */
export class Conflict extends Error {
  constructor(id: string) {
    super(`${id} was changed or created by another request. Read it again.`)
  }
}

/** The store failed, or cannot be used. The message says what to do. */
/** When something is due. */
export interface Due {
  /** The number of the endpoint; null for the sources. */
  endpoint: number | null
  /** In real time. */
  due: number
}

export class StoreError extends Error {}

export const STATES = ['pending', 'succeeded', 'dead'] as const
export type State = (typeof STATES)[number]

export interface Attempt {
  /** When it began. */
  at: number
  /** Null where there was no response. */
  status: number | null
  /** Why it did not succeed; null where it did. */
  reason: string | null
  headers: Record<string, string>
  /** The start of the response's body. */
  body: string
  /** The headers of the request; null where they are not known. */
  sent?: Record<string, string> | null
  /** How long it took, in milliseconds; null where that is not known. */
  ms?: number | null
}

export interface Delivery {
  id: string
  event_id: string
  kind: string
  endpoint_id: string
  state: State
  /** When it is attempted next; null where it is not. */
  due_at: number | null
  /** Why it is dead: `cancelled`, or the reason of its last attempt. Null where it is not. */
  reason: string | null
  attempts: Attempt[]
}

/** A delivery that is to be attempted. */
export interface Job {
  /** As the API shows it. */
  id: string
  delivery: number
  sandbox: Sandbox
  endpoint: Endpoint
  event: Pick<Event, 'id' | 'kind' | 'body' | 'revision' | 'trace'>
  /** How many attempts its cycle has seen. */
  attempted: number
  /** How often it was replayed, where other processes may do that; else 0. */
  cycle: number
}

/** The result of an attempt, and the next state of its delivery. */
export interface Outcome {
  job: Pick<Job, 'delivery' | 'sandbox' | 'attempted' | 'cycle'>
  attempt: Attempt
  state: State
  /** When the next attempt is due, while it is pending. */
  due: number | null
}

export interface EventFilter {
  kind?: string | undefined
  /** The id of the event. */
  event?: string | undefined
  /** A text in the event, such as the id of a conversation. Looks at every event. */
  mention?: string | undefined
  /** Those that occurred at this time or later, in milliseconds since 1970. */
  since?: number | undefined
  /** Those that occurred before this time, in milliseconds since 1970. */
  until?: number | undefined
}

export interface DeliveryFilter extends EventFilter {
  state?: State | undefined
  endpoint?: string | undefined
  /** The id of the delivery. */
  delivery?: string | undefined
}

/** How many of the latest deliveries of an endpoint are in each state. */
export interface Statistics extends Record<State, number> {
  endpoint_id: string
}

/** Messages of a conversation, as the API shows them. */
export interface Piece {
  /** Oldest first, by their numbers: the first message of a conversation is number 1. */
  messages: Array<{ number: number; json: string }>
  /** How many the conversation has. */
  total: number
}

export interface Counts {
  conversations: number
  /** Those that were not handed off. */
  deflected: number
  intents: Array<{ intent: string; count: number }>
}

/** What a new sandbox holds. */
export interface Seed {
  conversations: Array<{ conversation: Conversation; messages: Message[] }>
  sources: Source[]
  endpoints: Endpoint[]
}

/** Whether a request with an idempotency key may run. */
export type Claim =
  | { state: 'new' }
  | { state: 'running' | 'other' }
  | ({ state: 'done' } & Remembered)
