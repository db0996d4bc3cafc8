import { indexOf, type TypeIndex } from '../../model/index.ts'
import { inTurn } from '../../model/turns.ts'
import type { Api, Decl, Primitive, TypeRef } from '../../model/types.ts'

/** An event to test with, as JSON. */
export interface Sample {
  kind: string
  envelope: Readonly<Record<string, unknown>>
}

/** What a later version of the service may send: a kind, a field and a value outside the contract. */
const FUTURE = {
  kind: 'future',
  event: 'future.event',
  id: 'evt_future',
  field: 'future_field',
  value: 'future_value',
}

/** An event of each kind of the contract and, last, an event of an unknown kind. */
export function samplesOf(api: Api): Sample[] {
  const described = describedOf(api)
  // A kind of the contract's own that has this name stands for itself.
  const isTaken = described.some(({ kind }) => kind === FUTURE.kind)
  return isTaken ? described : [...described, ...futureOf(api, described)]
}

/** One event of each kind: the contract's first example, else one made of its types. */
function describedOf({ webhooks, decls }: Api): Sample[] {
  const shaper = new Shaper(indexOf(decls))
  return webhooks.map(({ event, payload, examples }) => {
    const [example] = examples
    return { kind: event, envelope: example ? record(example.value) : made(event, payload, shaper) }
  })
}

/** Every verifier requires these fields of an envelope, even where its type does not. */
function made(event: string, payload: TypeRef, shaper: Shaper): Sample['envelope'] {
  const envelope = record(shaper.make(payload))
  const occurred_at = PLACEHOLDERS['date-time']
  return { event, id: `evt_${event}`, occurred_at, data: record(envelope.data) }
}

/** The first sample that has a value to change, as it might look in a later version. */
function futureOf({ webhooks, decls }: Api, described: readonly Sample[]): Sample[] {
  const shaper = new Shaper(indexOf(decls))
  const changed = inTurn(webhooks).map(({ event, payload }) => {
    const sample = described.find(({ kind }) => kind === event)
    return record(shaper.advance(sample?.envelope, payload))
  })
  const isTelling = (envelope: object) => JSON.stringify(envelope).includes(FUTURE.value)
  const envelope = changed.find(isTelling) ?? changed[0]
  if (!envelope) return []
  const { kind, id } = FUTURE
  let { event } = FUTURE
  while (webhooks.some((webhook) => webhook.event === event)) event = `future.${event}`
  return [{ kind, envelope: { ...envelope, event, id } }]
}

/** The placeholders for values without an example in the contract. */
const PLACEHOLDERS: Readonly<Record<Primitive, unknown>> = {
  string: 'text',
  integer: 1,
  int64: 1,
  number: 1,
  boolean: true,
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
  base64: 'AA==',
  binary: '',
  null: null,
  any: {},
}

/** Makes and changes values by their types. */
class Shaper {
  readonly #index: TypeIndex

  constructor(index: TypeIndex) {
    this.#index = index
  }

  /** The least that is valid. */
  make(type: TypeRef, within: readonly string[] = []): unknown {
    switch (type.kind) {
      case 'primitive':
        return PLACEHOLDERS[type.type]
      case 'literal':
        return type.value
      case 'list':
        return []
      case 'map':
        return {}
      case 'nullable':
        return within.length > 1 ? null : this.make(type.of, within)
      case 'ref':
        return this.#makeDecl(this.#index.decl(type.id), within)
    }
  }

  #makeDecl(decl: Decl | undefined, within: readonly string[]): unknown {
    if (!decl || within.includes(decl.id)) return null
    const inside = [...within, decl.id]
    if (decl.example !== undefined) return decl.example
    switch (decl.kind) {
      case 'enum':
        return decl.values[0]
      case 'alias':
        return this.make(decl.type, inside)
      case 'union':
        return decl.variants[0] ? this.make(decl.variants[0], inside) : null
      case 'model': {
        const needed = this.#index.fields(decl).filter(({ presence }) => presence === 'required')
        return Object.fromEntries(needed.map(({ wire, type }) => [wire, this.make(type, inside)]))
      }
    }
  }

  /** The value with another field in each object, and another value in each enum of strings. */
  advance(value: unknown, type: TypeRef): unknown {
    if (value === null) return value
    if (type.kind === 'nullable') return this.advance(value, type.of)
    if (type.kind === 'list') return (value as unknown[]).map((item) => this.advance(item, type.of))
    const decl = type.kind === 'ref' ? this.#index.decl(type.id) : undefined
    if (decl?.kind === 'alias') return this.advance(value, decl.type)
    if (decl?.kind === 'enum') return decl.base === 'string' ? FUTURE.value : value
    if (decl?.kind !== 'model') return value
    const types = new Map(this.#index.fields(decl).map((field) => [field.wire, field.type]))
    const entries = Object.entries(record(value)).map(([key, item]) => {
      const known = types.get(key)
      return [key, known ? this.advance(item, known) : item]
    })
    return { ...Object.fromEntries(entries), [FUTURE.field]: true }
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
