import type { Json } from '../../contract/json.ts'
import { successorOf } from '../../model/index.ts'
import type { Alias, Decl, Field, Model, Primitive, TypeRef } from '../../model/types.ts'
import type { Subject } from '../subject.ts'
import type { Renamed } from '../types.ts'
import { narrowings } from './constraints.ts'
import type { Findings } from './findings.ts'
import { kindOf, type Prefix } from './kinds.ts'
import { compareModels } from './models.ts'
import type { Direction, Side } from './side.ts'
import { compareUnions } from './unions.ts'
import { compareValues, valuesOf } from './values.ts'

/** A location on both sides, about whose type there may be something to say. */
export interface Slot {
  direction: Direction
  prefix: Prefix
  key: string
  subject: Subject
  /** JSON pointers; null where there is nothing on a side. */
  before: string | null
  after: string | null
  users(): readonly string[]
}

/** A type on one side, without other names and without null. */
export interface Seen {
  type: TypeRef
  /** The declaration that it names; an alias is followed. */
  decl: Exclude<Decl, Alias> | undefined
}

/** Strings in several forms: of one type where data is JSON, of several elsewhere. */
export const TEXTS: ReadonlySet<Primitive> = new Set([
  'string',
  'date',
  'date-time',
  'base64',
  'binary',
])

/** Compares types, and what they are made of, as far as some data reaches. */
export class Types {
  readonly before: Side
  readonly after: Side
  readonly findings: Findings
  /** Fields about which something else speaks: tags of unions, and the keys of pages. */
  readonly settled: ReadonlySet<Field>
  readonly #seen = new Set<string>()

  constructor(before: Side, after: Side, findings: Findings, settled: ReadonlySet<Field>) {
    this.before = before
    this.after = after
    this.findings = findings
    this.settled = settled
  }

  /** Whether two declarations are compared for the first time in a direction. */
  enter(before: Decl, after: Decl, direction: Direction): boolean {
    const key = `${direction} ${before.id} ${after.id}`
    if (this.#seen.has(key)) return false
    this.#seen.add(key)
    return true
  }

  /** Reports a change of what a location is about, if users notice it. */
  report(
    slot: Slot,
    suffix: string,
    values: { before?: string; after?: string } = {},
    renamed?: Renamed,
  ): void {
    const kind = kindOf(slot.prefix, suffix)
    if (kind === null) return
    this.add(kind, slot, values, renamed, slot.before === null ? 'after' : 'before')
  }

  /** Compares the types of a location. */
  compare(before: TypeRef, after: TypeRef, slot: Slot): void {
    this.#compareAliases(before, after, slot)
    const wasNullable = this.before.index.isNullable(before)
    const isNullable = this.after.index.isNullable(after)
    const [old, now] = [this.#look(before, this.before), this.#look(after, this.after)]
    const isTyped = !isAny(old.type) && !isAny(now.type)
    if (isTyped && wasNullable !== isNullable) {
      this.report(slot, isNullable ? 'became-nullable' : 'stopped-being-nullable', {
        before: this.told(before, this.before),
        after: this.told(after, this.after),
      })
    }
    this.#compareShapes(old, now, before, after, slot)
  }

  /** The limits that the document sets at both locations. */
  limits(before: Json, after: Json, slot: Slot): void {
    const found = narrowings(before, after)
    for (const isTighter of [true, false]) {
      const some = found.filter((one) => one.isTighter === isTighter)
      const list = (side: 'before' | 'after') =>
        some.map((one) => `${one.keyword} ${one[side]}`).join(', ')
      if (some.length === 0) continue
      const values = { before: list('before'), after: list('after') }
      this.report(slot, isTighter ? 'tightened' : 'loosened', values)
    }
  }

  /** A type in a text. */
  told(type: TypeRef, side: Side): string {
    switch (type.kind) {
      case 'primitive':
        return type.type
      case 'literal':
        return JSON.stringify(type.value)
      case 'list':
        return `list of ${this.told(type.of, side)}`
      case 'map':
        return `map of ${this.told(type.of, side)}`
      case 'nullable':
        return `${this.told(type.of, side)} or null`
      case 'ref':
        return type.id
    }
  }

  #look(type: TypeRef, { index }: Side): Seen {
    const bare = index.resolve(index.nonNull(type))
    return { type: bare, decl: index.target(bare) }
  }

  /** The limits of a named type that is no object are changes of that type. */
  #compareAliases(before: TypeRef, after: TypeRef, slot: Slot): void {
    if (before.kind !== 'ref' || after.kind !== 'ref') return
    const old = this.before.index.decl(before.id)
    const now = this.after.index.decl(after.id)
    if (old?.kind !== 'alias' || now?.kind !== 'alias') return
    const { direction } = slot
    const location: Slot = {
      ...slot,
      key: `types/${old.id}`,
      subject: { of: 'type', decl: old },
      before: old.pointer,
      after: now.pointer,
      users: () => this.before.usersOf(old.id, direction),
    }
    this.limits(this.before.part(old.pointer).node, this.after.part(now.pointer).node, location)
  }

  #compareShapes(old: Seen, now: Seen, before: TypeRef, after: TypeRef, slot: Slot): void {
    if (isAny(old.type) && isAny(now.type)) return
    const isUnion = now.decl?.kind === 'union'
    if (valuesOf(old) || valuesOf(now)) {
      compareValues(this, old, now, slot)
    } else if (old.type.kind === 'list' && now.type.kind === 'list') {
      this.compare(old.type.of, now.type.of, { ...slot, key: `${slot.key}[]` })
    } else if (old.type.kind === 'map' && now.type.kind === 'map') {
      this.compareValueTypes(old.type.of, now.type.of, slot)
    } else if (isModel(old.decl) && isModel(now.decl) && !this.#isAnother(old.decl, now.decl)) {
      this.compareNames(old.decl, now.decl, slot)
      compareModels(this, old.decl, now.decl, slot.direction)
    } else if (old.decl?.kind === 'union' && now.decl?.kind === 'union') {
      this.compareNames(old.decl, now.decl, slot)
      compareUnions(this, old.decl, now.decl, slot)
    } else if (isUnion && (slot.direction === 'request' || slot.direction === 'response')) {
      this.add(`${slot.direction}-union-introduced`, slot, this.#both(before, after))
    } else if (JSON.stringify(old.type) !== JSON.stringify(now.type)) {
      this.differ(old, now, slot)
    }
  }

  /** The values of a map. Those of another type are a change of the map. */
  compareValueTypes(before: TypeRef, after: TypeRef, slot: Slot): void {
    const told = this.#both(before, after)
    const { direction } = slot
    if (told.before === told.after || direction === 'error' || this.#areAlike(before, after)) {
      this.compare(before, after, { ...slot, key: `${slot.key}{}` })
    } else {
      this.add(`${direction}-map-value-type-changed`, slot, told)
    }
  }

  #areAlike(before: TypeRef, after: TypeRef): boolean {
    const [old, now] = [this.#look(before, this.before), this.#look(after, this.after)]
    return old.decl !== undefined && old.decl.kind === now.decl?.kind
  }

  #both(before: TypeRef, after: TypeRef): { before: string; after: string } {
    return { before: this.told(before, this.before), after: this.told(after, this.after) }
  }

  /** Reports that two types have nothing in common. */
  differ(old: Seen, now: Seen, slot: Slot): void {
    const told = this.#both(old.type, now.type)
    const isText = ({ type }: Seen) => type.kind === 'primitive' && TEXTS.has(type.type)
    const isList = now.type.kind === 'list' && old.type.kind !== 'list'
    const isForm = isText(old) && isText(now)
    this.report(slot, isList ? 'became-list' : isForm ? 'format-changed' : 'type-changed', told)
  }

  /**
   * Whether another object took the place of one: both exist on both sides, or they have little in
   * common.
   */
  #isAnother(before: Model, after: Model): boolean {
    if (before.id === after.id) return false
    if (this.before.index.decl(after.id) && this.after.index.decl(before.id)) return true
    const old = this.before.index.fields(before).map(({ wire }) => wire)
    const now = new Set(this.after.index.fields(after).map(({ wire }) => wire))
    const shared = old.filter((wire) => now.has(wire)).length
    return shared * 2 < Math.min(old.length, now.size)
  }

  /** A type that has another name. One that is written in place follows the names around it. */
  compareNames(before: Decl, after: Decl, slot: Slot): void {
    if (before.id === after.id) return
    const kept = this.after.index.decl(before.id)
    const isOldName = kept !== undefined && successorOf(kept) !== null
    if (kept && !isOldName) return
    const [wasShared, isShared] = [isComponent(before), isComponent(after)]
    if (!wasShared && !isShared) return
    const renamed = isOldName ? 'type-renamed-kept' : 'type-renamed'
    const kind = wasShared ? (isShared ? renamed : 'type-inlined') : 'type-shared'
    const told = { before: before.id, after: after.id }
    this.add(kind, this.typeSlot(before, after, slot), told, {
      from: before.id,
      to: after.id,
      certain: true,
    })
  }

  /** The location of a named type, whatever leads there. */
  typeSlot(before: Decl, after: Decl, slot: Slot): Slot {
    return {
      ...slot,
      key: `types/${before.id}`,
      subject: { of: 'type', decl: before },
      before: before.pointer,
      after: after.pointer,
      users: () => this.before.usersOf(before.id, slot.direction),
    }
  }

  add(
    kind: string,
    { key, subject, before, after, users }: Slot,
    values: { before?: string; after?: string },
    renamed?: Renamed,
    named: 'before' | 'after' = 'before',
  ): void {
    const finding = { kind, key, before, after, subject, named, values, users: users() }
    this.findings.add({ ...finding, ...(renamed && { renamed }) })
  }
}

function isModel(decl: Decl | undefined): decl is Model {
  return decl?.kind === 'model'
}

function isAny(type: TypeRef): boolean {
  return type.kind === 'primitive' && type.type === 'any'
}

function isComponent({ pointer }: Decl): boolean {
  return /^\/components\/schemas\/[^/]+$/.test(pointer)
}
