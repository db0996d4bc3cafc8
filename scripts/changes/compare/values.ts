import type { Decl, Enum, Primitive } from '../../model/types.ts'
import type { Subject } from '../subject.ts'
import { type Seen, type Slot, TEXTS, type Types } from './types.ts'

type Value = string | number | boolean

/** The values of a constant or of an enum. */
export function valuesOf({ type, decl }: Seen): readonly Value[] | null {
  if (type.kind === 'literal') return [type.value]
  return decl?.kind === 'enum' ? decl.values : null
}

/** Compares types of which at least one has only some values. */
export function compareValues(types: Types, old: Seen, now: Seen, slot: Slot): void {
  const [values, newValues] = [valuesOf(old), valuesOf(now)]
  const base = baseOf(old)
  if (slot.direction === 'error') {
    if (base !== baseOf(now)) types.differ(old, now, slot)
  } else if (base === null || base !== baseOf(now)) {
    types.differ(old, now, slot)
  } else if (!values || !newValues) {
    const list = (values ?? newValues ?? []).join(', ')
    const kind = `${slot.direction}-enum-${values ? 'opened' : 'introduced'}`
    types.add(kind, slot, values ? { before: list } : { after: list })
  } else if (old.type.kind === 'literal' && now.type.kind === 'literal') {
    compareConstants(types, old.type.value, now.type.value, slot)
  } else {
    compareLists(types, old.decl, now.decl, values, newValues, slot)
  }
}

function compareConstants(types: Types, old: Value, now: Value, slot: Slot): void {
  if (old === now) return
  const values = { before: String(old), after: String(now) }
  types.add(`${slot.direction}-literal-changed`, slot, values)
}

function compareLists(
  types: Types,
  before: Decl | undefined,
  after: Decl | undefined,
  values: readonly Value[],
  newValues: readonly Value[],
  slot: Slot,
): void {
  let location = slot
  if (before?.kind === 'enum' && after?.kind === 'enum') {
    types.compareNames(before, after, slot)
    if (!types.enter(before, after, slot.direction)) return
    location = types.typeSlot(before, after, slot)
  }
  const at = (decl: Decl | undefined, value: Value): Slot => ({
    ...location,
    key: `${location.key}/${value}`,
    subject: subjectOf(decl, value) ?? location.subject,
  })
  const kind = (change: string) => `${slot.direction}-enum-value-${change}`
  const removed = values.filter((value) => !newValues.includes(value))
  const added = newValues.filter((value) => !values.includes(value))
  const [gone, come] = [removed[0], added[0]]
  if (gone !== undefined && come !== undefined && removed.length + added.length === 2) {
    const told = { before: String(gone), after: String(come) }
    const renamed = { from: String(gone), to: String(come), certain: false }
    types.add(kind('renamed'), at(before, gone), told, renamed)
    return
  }
  for (const value of removed) {
    types.add(kind('removed'), at(before, value), { before: String(value) })
  }
  for (const value of added) {
    types.add(kind('added'), at(after, value), { after: String(value) }, undefined, 'after')
  }
}

function subjectOf(decl: Decl | undefined, value: Value): Subject | null {
  return decl?.kind === 'enum' && typeof value !== 'boolean'
    ? { of: 'value', decl: decl as Enum, value }
    : null
}

/** The type of the values in JSON; null for what is no single value. */
function baseOf(seen: Seen): string | null {
  const [first] = valuesOf(seen) ?? []
  if (first !== undefined) return typeof first
  return seen.type.kind === 'primitive' ? primitiveOf(seen.type.type) : null
}

function primitiveOf(primitive: Primitive): string {
  if (primitive === 'integer' || primitive === 'number' || primitive === 'int64') return 'number'
  return TEXTS.has(primitive) ? 'string' : primitive
}
