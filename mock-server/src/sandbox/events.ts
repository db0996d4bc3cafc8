/** Makes events in the form of the contract. */
import type { DescribedEvent, Description } from '../contract/document.ts'
import { type DriftCheck, refusing } from '../contract/drift.ts'
import { invent } from '../contract/minimal.ts'
import { project } from '../contract/projection.ts'
import type { Shapes } from '../contract/shape.ts'
import { invalid } from '../door/problem.ts'
import type { Event } from '../store/types.ts'
import { type Bindings, partOf, wireName } from './bindings.ts'
import { FUTURE, FUTURE_KIND, futureOf } from './future.ts'
import type { Kind } from './samples.ts'
import { timestamp } from './shapes.ts'

export interface EventsOptions {
  bindings: Bindings
  /** Checks every event; undefined for none. */
  drift: DriftCheck | undefined
  /** The URL of a conversation. */
  urlOf: (conversation: string) => string
}

type Data = Record<string, unknown>

/** Makes events. */
export interface EventSource {
  /** An event of the sandbox. None if no contract has such a kind. */
  of(kind: Kind, id: string, at: number, data: object): Event[]
  /**
   * The contract's example of a kind as a new event, with other data merged into it. For {@link FUTURE}, an event
   * of which the contract lacks the kind, fields and values.
   */
  example(kind: string, id: string, at: number, given?: Data): [Event, ...Event[]]
}

/** The event whose data has a URL of the conversation. */
const LINKED: Kind = 'conversation.handoff'

export class Events implements EventSource {
  readonly #options: EventsOptions
  readonly #description: Description
  readonly #shapes: Shapes

  constructor(options: EventsOptions) {
    this.#options = options
    const { description, shapes } = options.bindings.forms
    this.#description = description
    this.#shapes = shapes
  }

  /** An event of the sandbox with the text that is signed. None if the contract has no such kind. */
  of(kind: Kind, id: string, at: number, data: object): Event[] {
    const { bindings, drift, urlOf } = this.#options
    const bound = bindings.events.get(kind)
    if (!bound) return []
    const { conversation_id } = data as { conversation_id?: string }
    const url = kind === LINKED && { transcript_url: urlOf(String(conversation_id)) }
    const envelope = {
      event: bound.kind,
      id,
      occurred_at: timestamp(at),
      data: { ...data, ...url },
    }
    const body = JSON.stringify(bound.form.of(envelope))
    drift?.event(bound.kind, body)
    return [{ id, kind: bound.kind, occurredAt: at, body }]
  }

  /**
   * The contract's example of a kind as a new event, with other data merged into it. The URL of a
   * transcript leads to this server, unless it is given.
   *
   * @throws {Problem} 422 if there is no such event.
   */
  example(kind: string, id: string, at: number, given: Data = {}): [Event] {
    const { event, isKnown } = this.#sampleOf(kind)
    const shape = this.#shapes.of(event.content.schema)
    const known = invent(shape, event.content.examples) as Data
    const sample = isKnown ? known : (futureOf(known, shape) as Data)
    const sent = isKnown ? kind : FUTURE_KIND
    const nameOf = (known: string) => wireName(shape, known) ?? known
    const facts = { event: sent, id, occurred_at: timestamp(at) }
    const stated = Object.entries(facts).map(([known, value]) => {
      const part = partOf(shape, known)
      const isUnknown = value === FUTURE_KIND
      return [nameOf(known), part && !isUnknown ? project(part, value, [], () => {}) : value]
    })
    const data = partOf(shape, 'data')
    const inside = data ? merge(sample[nameOf('data')], given) : {}
    const url = wireName(data, 'transcript_url')
    const conversation = (inside as Data)[wireName(data, 'conversation_id') ?? '']
    if (url !== undefined && !(url in given) && conversation !== undefined) {
      Object.assign(inside as Data, { [url]: this.#options.urlOf(String(conversation)) })
    }
    const body = JSON.stringify({
      ...(data ? sample : (merge(sample, given) as Data)),
      ...Object.fromEntries(stated),
      ...(data && { [nameOf('data')]: inside }),
    })
    const check = () => isKnown && this.#options.drift?.event(kind, body)
    // Data that a client gave is the client's to correct.
    if (Object.keys(given).length > 0) refusing(check)
    else check()
    return [{ id, kind: sent, occurredAt: at, body }]
  }

  /** The event of a kind. What no contract has is made of the first one. */
  #sampleOf(kind: string): { event: DescribedEvent; isKnown: boolean } {
    const { events } = this.#description
    const event = events.find((one) => one.kind === kind)
    if (event) return { event, isKnown: true }
    const [first] = events
    if (kind !== FUTURE || !first) throw invalid(`The contract has no event ${kind}.`)
    return { event: first, isKnown: false }
  }
}

/** A copy of a value with some of its parts replaced. Lists are replaced whole. */
function merge(value: unknown, given: unknown): unknown {
  if (!isObject(value) || !isObject(given)) return given
  const parts = Object.entries(given).map(([name, part]) => {
    return [name, merge(Object.hasOwn(value, name) ? value[name] : undefined, part)] as const
  })
  return Object.fromEntries([...Object.entries(value), ...parts])
}

function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
