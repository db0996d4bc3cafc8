/** Makes the events of a run: those of the contract, each with an ID that no earlier run had. */
import { randomInt } from 'node:crypto'
import { object } from '../../contract/document.ts'
import { type Bindings, partOf, wireName } from '../../sandbox/bindings.ts'
import { Events } from '../../sandbox/events.ts'
import { FUTURE, futureOf } from '../../sandbox/future.ts'
import type { Sandbox } from '../../store/types.ts'

/** An event as it is sent. */
export interface Made {
  id: string
  kind: string
  body: string
}

export interface MakerOptions {
  bindings: Bindings
  /** The URL of a conversation in a sandbox that runs meanwhile. */
  urlOf: (conversation: string) => string
}

export class Maker {
  readonly kinds: readonly string[]
  readonly #bindings: Bindings
  readonly #events: Events
  /** Stands for a sandbox that has existed in no other run. */
  readonly #run = { id: randomInt(1000, 8000), generation: randomInt(1000) } as Sandbox
  #number = randomInt(1, 1e6)

  constructor({ bindings, urlOf }: MakerOptions) {
    this.#bindings = bindings
    this.#events = new Events({ bindings, drift: undefined, urlOf })
    this.kinds = bindings.forms.description.kinds
  }

  /** A new event of a kind. @param conversation The ID of its conversation. */
  of(kind: string, conversation = this.conversation(), at = Date.now()): Made {
    const made = this.#example(kind, at)
    return {
      ...made,
      body: JSON.stringify(inside(made.value, this.#idIn(kind, made), conversation)),
    }
  }

  /** The event that any kind will do for. */
  any(at?: number): Made {
    return this.of(this.kinds[0] ?? '', undefined, at)
  }

  /** The ID of a conversation that nobody knows. */
  conversation(): string {
    return this.#bindings.ids.conversation(this.#run, this.#number++)
  }

  /** An event of a kind that the contract does not have. */
  unknown(): Made {
    return this.#example(FUTURE, Date.now())
  }

  /** An event of a kind with fields that the contract does not have. */
  withFields(kind: string, conversation: string): Made {
    const made = this.of(kind, conversation)
    return { ...made, body: JSON.stringify(futureOf(JSON.parse(made.body), undefined)) }
  }

  /** An event of a kind with values that the contract does not list; null if it lists none for this kind. */
  withValues(kind: string, conversation: string): Made | null {
    const made = this.of(kind, conversation)
    const value = JSON.parse(made.body)
    const all = futureOf(value, this.#shapeOf(kind))
    if (JSON.stringify(all) === JSON.stringify(futureOf(value, undefined))) return null
    return { ...made, body: JSON.stringify(common(all, value)) }
  }

  /** The same event with an extra text of so many bytes, where the contract has no field. */
  padded(made: Made, bytes: number): Made {
    const value = object(JSON.parse(made.body))
    const bare = Buffer.byteLength(JSON.stringify({ ...value, padding: '' }))
    return { ...made, body: JSON.stringify({ ...value, padding: 'x'.repeat(bytes - bare) }) }
  }

  #example(kind: string, at: number): Made & { value: unknown } {
    const id = this.#bindings.ids.event(this.#run, this.#number++)
    const [event] = this.#events.example(kind, id, at)
    const value = JSON.parse(event.body)
    return { id, kind: event.kind, body: event.body, value }
  }

  #shapeOf(kind: string) {
    const { description, shapes } = this.#bindings.forms
    return shapes.of(description.events.find((event) => event.kind === kind)?.content.schema)
  }

  /** The conversation of an event as the contract's example has it. */
  #idIn(kind: string, { value }: { value: unknown }): unknown {
    const shape = this.#shapeOf(kind)
    const data = object(object(value)[wireName(shape, 'data') ?? 'data'])
    const name = wireName(partOf(shape, 'data'), 'conversation_id')
    return name === undefined ? undefined : data[name]
  }
}

/** A copy of a value with another ID. URLs keep theirs, since they lead to a conversation that is there. */
function inside(value: unknown, before: unknown, after: string): unknown {
  if (before === undefined) return value
  if (value === before) return typeof before === 'number' ? Number(after) : after
  if (Array.isArray(value)) return value.map((one) => inside(one, before, after))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, inside(part, before, after)]),
  )
}

/** A value without the fields that another one does not have. */
function common(value: unknown, model: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(model))
    return value.map((one, index) => common(one, model[index]))
  if (typeof value !== 'object' || value === null) return value
  const known = object(model)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name in known)
      .map(([name, part]) => [name, common(part, known[name])]),
  )
}
