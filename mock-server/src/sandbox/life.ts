/** The life of a conversation and of a source. Each step commits the new state and its event together. */
import { Problem } from '../door/problem.ts'
import type { KeyedMutex } from '../store/keyed-mutex.ts'
import type { StateStore } from '../store/store.ts'
import {
  type Change,
  Conflict,
  type Conversation,
  type Event,
  type Message,
  type Remembered,
  type Sandbox,
  type Source,
} from '../store/types.ts'
import type { Tracer } from '../tracing/tracer.ts'
import type { Ids } from './bindings.ts'
import type { EventSource } from './events.ts'
import { intentOf } from './intents.ts'
import {
  type KnownSource,
  listed,
  messageOf,
  readSource,
  type SourceParams,
  sourceOf,
  summaryOf,
  type ThreadMessage,
  type Unlisted,
} from './shapes.ts'

/** How often a step is retried after another process changed the same conversation. */
const MAX_CONFLICTS = 10
/** How long a source takes to its next state, in milliseconds. */
const INDEXING = 1000

export interface LifeOptions {
  store: StateStore
  events: EventSource
  ids: Ids
  now: () => number
  /** One step of a conversation at a time, so that concurrent requests do not conflict. */
  mutex: KeyedMutex
  /** Checks that a sandbox may store what a request changes. @throws {Problem} */
  allow: (sandbox: Sandbox, change: Change) => Promise<void>
  /** Traces a commit. */
  tracer: Pick<Tracer, 'committing'>
  /** Called after a commit. */
  onChange: (sandbox: Sandbox, change: Change) => void
}

/** Makes the response to store with a step, in one commit; undefined for none. */
export type Remember = (json: string) => Remembered | undefined

const none: Remember = () => undefined

/** Turns a conversation into its next state. */
type Step = (
  conversation: Conversation,
  at: number,
  eventId: string,
  messageId: string,
) => { next: Unlisted; events: Event[]; message?: Message; remembered?: Remembered | undefined }

export interface NewMessage {
  author: 'visitor' | 'agent'
  text: string
  /** @default the name that the visitor gave before; none for an agent */
  name?: string | null | undefined
}

export class Life {
  readonly #options: LifeOptions

  constructor(options: LifeOptions) {
    this.#options = options
  }

  /** The sandbox's own time. */
  now({ offset }: Sandbox): number {
    return this.#options.now() + offset
  }

  /** Creates a conversation, with a first message of the visitor where there is a text. */
  async create(
    sandbox: Sandbox,
    { text, name = null }: { text?: string | undefined; name?: string | null | undefined },
  ): Promise<Conversation> {
    const at = this.now(sandbox)
    const numbers = await this.#numbers(sandbox, 5)
    const { events } = this.#options
    const conversation = listed({
      id: numbers.id('conversation'),
      status: 'open',
      createdAt: at,
      updatedAt: at,
      position: numbers.next(),
      visitor: name,
      intent: text === undefined ? null : intentOf(text),
      handoff: null,
      rating: null,
    })
    const { id } = conversation
    const created = events.of('conversation.created', numbers.id('event'), at, {
      conversation_id: id,
      conversation: summaryOf(conversation),
    })
    const first =
      text === undefined
        ? null
        : messageOf(numbers.id('message'), id, { type: 'visitor', name }, text, at)
    await this.#commit(sandbox, {
      conversation,
      before: null,
      messages: first ? [first] : [],
      events: [
        ...created,
        ...(first ? this.#messageEvent(numbers.id('event'), first.value, at) : []),
      ],
    })
    return conversation
  }

  /** Adds a message to a conversation. @returns it as the API shows it. */
  async message(
    sandbox: Sandbox,
    id: string,
    { author: type, text, name }: NewMessage,
    remember: Remember = none,
  ): Promise<string> {
    let json = ''
    await this.#step(sandbox, id, (conversation, at, eventId, messageId) => {
      refuse(conversation, 'resolved', 'is resolved and accepts no more messages')
      const isVisitor = type === 'visitor'
      const author = { type, name: name ?? null }
      if (isVisitor && name === undefined) author.name = conversation.visitor
      const message = messageOf(messageId, id, author, text, at)
      json = message.json
      const isFirst = isVisitor && conversation.intent === null
      const next = isFirst ? { ...conversation, intent: intentOf(text) } : conversation
      const events = this.#messageEvent(eventId, message.value, at)
      return { next, events, message, remembered: remember(json) }
    })
    return json
  }

  /** Hands a conversation off to a human. */
  async handoff(sandbox: Sandbox, id: string, reason: string): Promise<Conversation> {
    return this.#step(sandbox, id, (conversation, at, eventId) => {
      refuse(conversation, 'handed_off', 'is already handed off')
      refuse(conversation, 'resolved', 'is resolved. Create a new one')
      const next = { ...conversation, status: 'handed_off', handoff: { reason, requestedAt: at } }
      const { events } = this.#options
      const data = { conversation_id: id, reason }
      return { next, events: events.of('conversation.handoff', eventId, at, data) }
    })
  }

  /** Resolves a conversation. */
  async resolve(sandbox: Sandbox, id: string): Promise<Conversation> {
    return this.#step(sandbox, id, (conversation, at, eventId) => {
      refuse(conversation, 'resolved', 'is already resolved')
      const next = { ...conversation, status: 'resolved', updatedAt: at }
      const data = { conversation_id: id, conversation: summaryOf(next) }
      const { events } = this.#options
      return { next, events: events.of('conversation.resolved', eventId, at, data) }
    })
  }

  /** Rates a resolved conversation, once. */
  async csat(
    sandbox: Sandbox,
    id: string,
    { rating, comment = null }: { rating: number; comment?: string | null | undefined },
  ): Promise<Conversation> {
    return this.#step(sandbox, id, (conversation, at, eventId) => {
      refuse(conversation, 'open', 'is not resolved. Resolve it first')
      refuse(conversation, 'handed_off', 'is not resolved. Resolve it first')
      if (conversation.rating !== null) throw impossible(id, 'already has a rating')
      const data = { conversation_id: id, rating, comment }
      return {
        next: { ...conversation, rating },
        events: this.#options.events.of('conversation.csat', eventId, at, data),
      }
    })
  }

  /** Adds a source, which is indexed a little later. */
  async addSource(sandbox: Sandbox, params: SourceParams, remember: Remember): Promise<string> {
    const at = this.now(sandbox)
    const numbers = await this.#numbers(sandbox, 1)
    const value = sourceOf(numbers.id('source'), params, at)
    const json = JSON.stringify(value)
    const source = { id: value.id, json, due: this.#options.now() + INDEXING }
    const remembered = remember(json)
    await this.#commit(sandbox, { source, ...(remembered && { remembered }) })
    return json
  }

  /** Gives a due source its next state: pending → indexing → indexed or failed. */
  async index(sandbox: Sandbox, source: Source): Promise<void> {
    const change = await this.#indexed(sandbox, source)
    try {
      await this.#store(sandbox, { ...change, sourceBefore: source })
    } catch (error) {
      // It has its next state by another process.
      if (!(error instanceof Conflict)) throw error
    }
  }

  async #indexed(sandbox: Sandbox, source: Source): Promise<Change> {
    const value = readSource(source)
    if (value.status === 'pending') {
      const json = JSON.stringify({ ...value, status: 'indexing' })
      const due = (source.due ?? this.#options.now()) + INDEXING
      return { source: { ...source, json, due } }
    }
    const at = this.now(sandbox)
    const numbers = await this.#numbers(sandbox, 1)
    const done = { ...value, status: isUnreadable(value) ? 'failed' : 'indexed' } as const
    const data = { source_id: source.id, source: done }
    return {
      source: { ...source, json: JSON.stringify(done), due: null },
      events: this.#options.events.of('knowledge.indexed', numbers.id('event'), at, data),
    }
  }

  /**
   * Sends the contract's example of a kind, with other data merged into it. Changes no state.
   *
   * @param copies How often each endpoint gets it.
   */
  async emit(
    sandbox: Sandbox,
    kind: string,
    data?: Record<string, unknown>,
    copies = 1,
  ): Promise<Event> {
    const at = this.now(sandbox)
    const numbers = await this.#numbers(sandbox, 1)
    const made = this.#options.events.example(kind, numbers.id('event'), at, data)
    await this.#commit(sandbox, { events: made.map((event) => ({ ...event, copies })) })
    return made[0]
  }

  /** Reads a conversation, takes a step and commits it. Retries after a conflict. */
  #step(sandbox: Sandbox, id: string, step: Step): Promise<Conversation> {
    return this.#options.mutex.run(`${sandbox.id} ${id}`, () => this.#take(sandbox, id, step))
  }

  async #take(sandbox: Sandbox, id: string, step: Step): Promise<Conversation> {
    for (let conflicts = 0; ; conflicts++) {
      const conversation = await this.#options.store.conversation(sandbox, id)
      if (!conversation) throw notFound(id)
      const at = this.now(sandbox)
      const numbers = await this.#numbers(sandbox, 3)
      const position = numbers.next()
      const { next, events, message, remembered } = step(
        conversation,
        at,
        numbers.id('event'),
        numbers.id('message'),
      )
      const changed = listed({ ...next, updatedAt: at, position })
      try {
        await this.#commit(sandbox, {
          conversation: changed,
          before: conversation,
          messages: message ? [message] : [],
          events,
          ...(remembered && { remembered }),
        })
        return changed
      } catch (error) {
        if (!(error instanceof Conflict) || conflicts === MAX_CONFLICTS) throw error
      }
    }
  }

  async #commit(sandbox: Sandbox, change: Change): Promise<void> {
    await this.#options.allow(sandbox, change)
    await this.#store(sandbox, change)
  }

  async #store(sandbox: Sandbox, change: Change): Promise<void> {
    const { store, tracer, onChange } = this.#options
    await tracer.committing(change, (traced) => store.commit(sandbox, traced))
    onChange(sandbox, change)
  }

  /** Reserves numbers of the sandbox, to be used in order. */
  async #numbers(sandbox: Sandbox, count: number) {
    let number = await this.#options.store.numbers(sandbox, count)
    const next = () => number++
    const { ids } = this.#options
    return { next, id: (of: keyof Ids) => ids[of](sandbox, next()) }
  }

  #messageEvent(id: string, message: ThreadMessage, at: number): Event[] {
    const { conversation_id } = message
    return this.#options.events.of('conversation.message', id, at, { conversation_id, message })
  }
}

/** No host has such a name (RFC 2606). */
function isUnreadable({ type, title }: KnownSource): boolean {
  return type === 'url' && URL.canParse(title) && new URL(title).hostname.endsWith('.invalid')
}

function refuse({ id, status }: Conversation, when: string, why: string): void {
  if (status === when) throw impossible(id, why)
}

function impossible(id: string, why: string): Problem {
  return new Problem(409, 'impossible_step', `The conversation ${id} ${why}.`)
}

export function notFound(id: string): Problem {
  return new Problem(404, 'conversation_not_found', `There is no conversation ${id}.`)
}
