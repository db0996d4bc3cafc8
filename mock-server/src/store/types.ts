/**
 * What the sandbox keeps. Every method is one atomic step, so that a store with several writers can
 * stand behind it. Times are milliseconds since 1970: `At` of a sandbox's own clock, `due` of the real
 * one.
 */

/** What a key has to itself. */
export interface Sandbox {
  id: number
  /** How far its clock is ahead of the real one, in milliseconds. */
  offset: number
  /** How often it was reset. */
  generation: number
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
  /** What the visitor asked for, once that is known. */
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
}

/** An event that happened. */
export interface Logged extends Event {
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
}

/** The answer to a request that had an idempotency key. */
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
  /** Each is due at once for every endpoint that wants its kind. */
  events?: Event[]
  remembered?: Remembered
}

/** Someone else changed the conversation in the meantime: read it again. */
export class Conflict extends Error {
  constructor(id: string) {
    super(`The conversation ${id} was changed or made by another request. Read it again.`)
  }
}

/** What the store cannot do, now or at all, with what to do about it. */
export class StoreError extends Error {}

export const STATES = ['pending', 'succeeded', 'dead'] as const
export type State = (typeof STATES)[number]

export interface Attempt {
  /** When it began. */
  at: number
  /** Null where there was no answer. */
  status: number | null
  /** Why it did not succeed; null where it did. */
  reason: string | null
  headers: Record<string, string>
  /** What was kept of the answer's body. */
  body: string
}

export interface Delivery {
  id: string
  event_id: string
  kind: string
  endpoint_id: string
  state: State
  /** When it is attempted next; null where it is not. */
  due_at: number | null
  attempts: Attempt[]
}

/** A delivery that is to be attempted. */
export interface Job {
  /** As the API shows it. */
  id: string
  delivery: number
  sandbox: Sandbox
  endpoint: Endpoint
  event: Pick<Event, 'id' | 'kind' | 'body'>
  /** How many attempts its cycle has seen. */
  attempted: number
}

/** What came of an attempt, and what follows. */
export interface Outcome {
  delivery: number
  attempt: Attempt
  state: State
  /** When to try again, while it is pending. */
  due: number | null
}

export interface DeliveryFilter {
  state?: State | undefined
  kind?: string | undefined
  endpoint?: string | undefined
}

export interface Counts {
  conversations: number
  /** Those that nobody handed off. */
  deflected: number
  intents: Array<{ intent: string; count: number }>
}

/** What a new sandbox holds. */
export interface Seed {
  conversations: Array<{ conversation: Conversation; messages: Message[] }>
  sources: Source[]
  endpoints: Endpoint[]
}

/** What a request with an idempotency key meets. */
export type Claim =
  | { state: 'new' }
  | { state: 'running' | 'other' }
  | ({ state: 'done' } & Remembered)

export interface Store {
  /**
   * The sandbox of a key, made of a seed where there is none. The least recently used one without
   * pending or dead deliveries makes room.
   *
   * @returns null where there is no room.
   */
  sandbox(key: string, seed: () => Seed): Promise<Sandbox | null>
  /** Empties a sandbox and seeds it again; its clock is the real one. */
  reset(sandbox: Sandbox, seed: Seed): Promise<void>
  /** Numbers that were never given out in this sandbox since its reset; the first of `count`. */
  numbers(sandbox: Sandbox, count: number): Promise<number>

  conversation(sandbox: Sandbox, id: string): Promise<Conversation | null>
  /** A conversation with its messages, all as they are at one moment. */
  thread(sandbox: Sandbox, id: string): Promise<Thread | null>
  /** The most recently changed first, those before a position. */
  conversations(
    sandbox: Sandbox,
    options: { status?: string | undefined; before: number; limit: number },
  ): Promise<Listed[]>
  source(sandbox: Sandbox, id: string): Promise<Source | null>
  counts(sandbox: Sandbox, intents: number): Promise<Counts>
  /** The newest first, those before a position. */
  events(sandbox: Sandbox, limit: number, before?: number): Promise<Logged[]>
  /** What a delivery is of. */
  eventOf(sandbox: Sandbox, delivery: string): Promise<Logged | null>

  /** @throws {Conflict} */
  commit(sandbox: Sandbox, change: Change): Promise<void>
  /** Takes an idempotency key for a request until it is remembered or released. */
  claimKey(sandbox: Sandbox, scope: string, fingerprint: string): Promise<Claim>
  releaseKey(sandbox: Sandbox, scope: string): Promise<void>

  addEndpoint(sandbox: Sandbox, endpoint: Endpoint): Promise<void>
  endpoints(sandbox: Sandbox): Promise<Endpoint[]>
  /** @returns false where there is no such endpoint. */
  changeSecret(sandbox: Sandbox, endpoint: string, secret: string): Promise<boolean>
  changeKinds(sandbox: Sandbox, endpoint: string, kinds: string[] | null): Promise<void>
  /**
   * Removes an endpoint, and with it its deliveries; the events stay.
   *
   * @returns false where there is no such endpoint.
   */
  removeEndpoint(sandbox: Sandbox, endpoint: string): Promise<boolean>
  /** Sets whether a listener has consumers. While it has none, as at first, its deliveries are not due. */
  attend(sandbox: Sandbox, endpoint: string, isAttended: boolean): Promise<void>

  /** The newest first, those that were made before one. */
  deliveries(
    sandbox: Sandbox,
    filter: DeliveryFilter,
    limit: number,
    before?: string,
  ): Promise<Delivery[]>
  /** How many deliveries are in a state, counted up to `most`. */
  countDeliveries(sandbox: Sandbox, state: State, most: number): Promise<number>
  delivery(sandbox: Sandbox, id: string): Promise<Delivery | null>
  /** Gives deliveries that are not pending a new cycle. @returns how many. */
  replay(sandbox: Sandbox, which: DeliveryFilter | { id: string }, due: number): Promise<number>

  /** The numbers of all endpoints, or of those of a sandbox. */
  endpointNumbers(sandbox?: Sandbox): Promise<number[]>
  /** When the first delivery of an endpoint is due that nobody works on. */
  firstDue(endpoint: number): Promise<number | null>
  /** When the first source changes its state. */
  firstSourceDue(): Promise<number | null>
  /** Takes deliveries of an endpoint that are due; they are this process's until they are recorded. */
  claim(endpoint: number, now: number, limit: number): Promise<Job[]>
  record(outcomes: readonly Outcome[]): Promise<void>
  /** Lets go of deliveries that were taken and not attempted. */
  release(deliveries: readonly number[]): Promise<void>
  dueSources(now: number, limit: number): Promise<Array<{ sandbox: Sandbox; source: Source }>>

  /**
   * Moves a sandbox's clock, and with it what waits; nothing where it was reset meanwhile.
   *
   * @returns the sandbox as it is then.
   */
  advance(sandbox: Sandbox, ms: number): Promise<Sandbox>
  /** When the sandbox's next delivery or source is due. */
  nextDue(sandbox: Sandbox): Promise<number | null>

  /**
   * Removes what is older than that and no longer needed, and what is left of removed endpoints; never
   * what is pending.
   */
  prune(before: number): Promise<number>
  close(): Promise<void>
}
