import { indexOf, type TypeIndex } from '../../model/index.ts'
import { inTurn } from '../../model/turns.ts'
import type { Api, TypeRef } from '../../model/types.ts'
import { PLACEHOLDERS, Shaper } from './shaper.ts'

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
  const index = indexOf(decls)
  const changed = inTurn(webhooks).map(({ event, payload }) => {
    const sample = described.find(({ kind }) => kind === event)
    return record(advance(sample?.envelope, payload, index))
  })
  const isTelling = (envelope: object) => JSON.stringify(envelope).includes(FUTURE.value)
  const envelope = changed.find(isTelling) ?? changed[0]
  if (!envelope) return []
  const { kind, id } = FUTURE
  let { event } = FUTURE
  while (webhooks.some((webhook) => webhook.event === event)) event = `future.${event}`
  return [{ kind, envelope: { ...envelope, event, id } }]
}

/** Changes a value by its type: another field in each object, and another value in each enum of strings. */
function advance(value: unknown, type: TypeRef, index: TypeIndex): unknown {
  if (value === null) return value
  if (type.kind === 'nullable') return advance(value, type.of, index)
  if (type.kind === 'list') return (value as unknown[]).map((item) => advance(item, type.of, index))
  const decl = type.kind === 'ref' ? index.decl(type.id) : undefined
  if (decl?.kind === 'alias') return advance(value, decl.type, index)
  if (decl?.kind === 'enum') return decl.base === 'string' ? FUTURE.value : value
  if (decl?.kind !== 'model') return value
  const types = new Map(index.fields(decl).map((field) => [field.wire, field.type]))
  const entries = Object.entries(record(value)).map(([key, item]) => {
    const known = types.get(key)
    return [key, known ? advance(item, known, index) : item]
  })
  return { ...Object.fromEntries(entries), [FUTURE.field]: true }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
