/** The life of a conversation and of a source. Each step commits the new state and its event together. */
import type {
  Message as ApiMessage,
  Source as ApiSource,
  SourceCreateParams,
} from '@support-chat/sdk'
import { Problem } from '../door/problem.ts'
import { makeId, type Prefix } from '../store/ids.ts'
import { KeyedMutex } from '../store/keyed-mutex.ts'
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
import { intentOf } from './intents.ts'
import {
  envelopeOf,
  eventOf,
  listed,
  messageOf,
  readSource,
  sourceOf,
  summaryOf,
  transcriptUrl,
  type Unlisted,
} from './shapes.ts'

/** How often a step is retried after another process changed the same conversation. */
const MAX_CONFLICTS = 10
/** How long a source takes to its next state, in milliseconds. */
const INDEXING = 1000

export interface LifeOptions {
  store: StateStore
  /** Where the API is, for the URLs in events; known once the server listens. */
  baseUrl: () => string
  now: () => number
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
) => { next: Unlisted; event: Event; message?: Message; remembered?: Remembered | undefined }

export interface NewMessage {
  author: 'visitor' | 'agent'
  text: string
  /** @default the name that the visitor gave before; none for an agent */
  name?: string | null | undefined
}

export class Life {
  readonly #options: LifeOptions
  /** One step of a conversation at a time, so that concurrent requests do not conflict. */
  readonly #mutex = new KeyedMutex()

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
    const conversation = listed({
      id: numbers.id('conv_'),
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
    const created = eventOf(numbers.id('evt_'), 'conversation.created', at, {
      conversation_id: id,
      conversation: summaryOf(conversation),
    })
    const first =
      text === undefined
        ? null
        : messageOf(numbers.id('msg_'), id, { type: 'visitor', name }, text, at)
    const events = [created, ...(first ? [messageEvent(numbers.id('evt_'), first.value, at)] : [])]
    await this.#commit(sandbox, {
      conversation,
      before: null,
      messages: first ? [first] : [],
      events,
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
      const event = messageEvent(eventId, message.value, at)
      return { next, event, message, remembered: remember(json) }
    })
    return json
  }

  /** Hands a conversation off to a human. */
  async handoff(sandbox: Sandbox, id: string, reason: string): Promise<Conversation> {
    return this.#step(sandbox, id, (conversation, at, eventId) => {
      refuse(conversation, 'handed_off', 'is already handed off')
      refuse(conversation, 'resolved', 'is resolved. Create a new one')
      const next = { ...conversation, status: 'handed_off', handoff: { reason, requestedAt: at } }
      const event = eventOf(eventId, 'conversation.handoff', at, {
        conversation_id: id,
        reason,
        transcript_url: transcriptUrl(this.#options.baseUrl(), id),
      })
      return { next, event }
    })
  }

  /** Resolves a conversation. */
  async resolve(sandbox: Sandbox, id: string): Promise<Conversation> {
    return this.#step(sandbox, id, (conversation, at, eventId) => {
      refuse(conversation, 'resolved', 'is already resolved')
      const next = { ...conversation, status: 'resolved', updatedAt: at }
      const data = { conversation_id: id, conversation: summaryOf(next) }
      return { next, event: eventOf(eventId, 'conversation.resolved', at, data) }
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
        event: eventOf(eventId, 'conversation.csat', at, data),
      }
    })
  }

  /** Adds a source, which is indexed a little later. */
  async addSource(
    sandbox: Sandbox,
    params: SourceCreateParams,
    remember: Remember,
  ): Promise<string> {
    const at = this.now(sandbox)
    const numbers = await this.#numbers(sandbox, 1)
    const value = sourceOf(numbers.id('src_'), params, at)
    const json = JSON.stringify(value)
    const source = { id: value.id, json, due: this.#options.now() + INDEXING }
    const remembered = remember(json)
    await this.#commit(sandbox, { source, ...(remembered && { remembered }) })
    return json
  }

  /** Gives a due source its next state: pending → indexing → indexed or failed. */
  async index(sandbox: Sandbox, source: Source): Promise<void> {
    const value = readSource(source)
    if (value.status === 'pending') {
      const json = JSON.stringify({ ...value, status: 'indexing' })
      const due = (source.due ?? this.#options.now()) + INDEXING
      return this.#commit(sandbox, { source: { ...source, json, due } })
    }
    const at = this.now(sandbox)
    const numbers = await this.#numbers(sandbox, 1)
    const done = { ...value, status: isUnreadable(value) ? 'failed' : 'indexed' } as const
    const data = { source_id: source.id, source: done }
    await this.#commit(sandbox, {
      source: { ...source, json: JSON.stringify(done), due: null },
      events: [eventOf(numbers.id('evt_'), 'knowledge.indexed', at, data)],
    })
  }

  /** Emits an event without a change of state. */
  async emit(sandbox: Sandbox, kind: string, data: Record<string, unknown>): Promise<Event> {
    const at = this.now(sandbox)
    const numbers = await this.#numbers(sandbox, 1)
    const event = envelopeOf(numbers.id('evt_'), kind, at, data)
    await this.#commit(sandbox, { events: [event] })
    return event
  }

  /** Reads a conversation, takes a step and commits it. Retries after a conflict. */
  #step(sandbox: Sandbox, id: string, step: Step): Promise<Conversation> {
    return this.#mutex.run(`${sandbox.id} ${id}`, () => this.#take(sandbox, id, step))
  }

  async #take(sandbox: Sandbox, id: string, step: Step): Promise<Conversation> {
    for (let conflicts = 0; ; conflicts++) {
      const conversation = await this.#options.store.conversation(sandbox, id)
      if (!conversation) throw notFound(id)
      const at = this.now(sandbox)
      const numbers = await this.#numbers(sandbox, 3)
      const position = numbers.next()
      const { next, event, message, remembered } = step(
        conversation,
        at,
        numbers.id('evt_'),
        numbers.id('msg_'),
      )
      const changed = listed({ ...next, updatedAt: at, position })
      try {
        await this.#commit(sandbox, {
          conversation: changed,
          before: conversation,
          messages: message ? [message] : [],
          events: [event],
          ...(remembered && { remembered }),
        })
        return changed
      } catch (error) {
        if (!(error instanceof Conflict) || conflicts === MAX_CONFLICTS) throw error
      }
    }
  }

  async #commit(sandbox: Sandbox, change: Change): Promise<void> {
    await this.#options.store.commit(sandbox, change)
    this.#options.onChange(sandbox, change)
  }

  /** Reserves numbers of the sandbox, to be used in order. */
  async #numbers(sandbox: Sandbox, count: number) {
    let number = await this.#options.store.numbers(sandbox, count)
    const next = () => number++
    return { next, id: (prefix: Prefix) => makeId(prefix, sandbox, next()) }
  }
}

function messageEvent(id: string, message: ApiMessage, at: number): Event {
  const { conversation_id } = message
  return eventOf(id, 'conversation.message', at, { conversation_id, message })
}

/** No host has such a name (RFC 2606). */
function isUnreadable({ type, title }: ApiSource): boolean {
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
