import { object } from '../../contract/json.ts'
import { isReceived, isSent } from '../../model/index.ts'
import type { Field, Model } from '../../model/types.ts'
import type { Prefix } from './kinds.ts'
import { match, saySame } from './match.ts'
import type { Direction, Side } from './side.ts'
import type { Slot, Types } from './types.ts'

/** Compares the fields of an object, inherited ones included, in one direction. */
export function compareModels(
  types: Types,
  before: Model,
  after: Model,
  direction: Direction,
  prefix: Prefix = `${direction}-field`,
): void {
  if (!types.enter(before, after, direction)) return
  const old = fieldsOf(types, before, types.before, direction)
  const now = fieldsOf(types, after, types.after, direction)
  const settled = settledWires(types, before, after)
  const nodeOf = (field: Field) =>
    object((old.includes(field) ? types.before : types.after).at(field.pointer))
  const matched = match(old, now, {
    name: ({ wire }) => wire,
    oldName: (field) => nodeOf(field)['x-renamed-from'],
    areAlike: (a, b) => a.presence === b.presence && saySame(nodeOf(a), nodeOf(b)),
  })
  const slot = (from: Field | null, to: Field | null): Slot => {
    const field = (from ?? to) as Field
    const side = from ? types.before : types.after
    const owner = side.ownerOf(field) ?? (from ? before : after)
    return {
      direction,
      prefix,
      key: `types/${owner.id}/${field.wire}`,
      subject: { of: 'field', decl: owner, field },
      before: from?.pointer ?? null,
      after: to?.pointer ?? null,
      users: () => side.usersOf(owner.id, direction),
    }
  }

  for (const field of matched.removed) {
    if (settled.has(field.wire)) continue
    const isOptional = direction !== 'request' && field.presence === 'optional'
    const isRefused = direction === 'request' && isClosed(types.after, after)
    const suffix = isOptional ? 'optional-removed' : isRefused ? 'refused' : 'removed'
    types.report(slot(field, null), suffix, { before: field.wire })
  }
  for (const field of matched.added) {
    if (settled.has(field.wire)) continue
    const isDemanded = direction === 'request' && field.presence === 'required'
    types.report(slot(null, field), isDemanded ? 'added-required' : 'added', { after: field.wire })
  }
  for (const { before: from, after: to, renamed } of matched.pairs) {
    const location = slot(from, to)
    if (renamed && !settled.has(from.wire)) {
      const isKept = direction !== 'request' && to.oldName?.wire === from.wire
      const suffix = `${from.presence === 'optional' ? 'optional-' : ''}renamed${isKept ? '-kept' : ''}`
      const certain = renamed === 'certain'
      const names = { from: from.wire, to: to.wire, certain }
      const told = { before: from.wire, after: to.wire }
      types.report(location, suffix, told, names)
    }
    if (!settled.has(from.wire)) compareFields(types, from, to, location)
  }
  compareRest(types, before, after, direction)
}

function compareFields(types: Types, from: Field, to: Field, location: Slot): void {
  const isRequired = to.presence === 'required'
  if ((from.presence === 'required') !== isRequired) {
    types.report(location, isRequired ? 'became-required' : 'became-optional', {
      before: from.presence,
      after: to.presence,
    })
  }
  const told = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value))
  if (location.direction === 'request' && told(from.default) !== told(to.default)) {
    types.report(location, 'default-changed', {
      before: told(from.default),
      after: told(to.default),
    })
  }
  if (!from.doc.deprecated && to.doc.deprecated) types.report(location, 'deprecated')
  types.compare(from.type, to.type, location)
  types.limits(object(types.before.at(from.pointer)), object(types.after.at(to.pointer)), location)
}

/** Fields that have no entry of their own. */
function compareRest(types: Types, before: Model, after: Model, direction: Direction): void {
  const old = types.before.index.extra(before)
  const now = types.after.index.extra(after)
  const location: Slot = {
    direction,
    prefix: `${direction}-field`,
    key: `types/${before.id}/*`,
    subject: { of: 'type', decl: before },
    before: before.pointer,
    after: after.pointer,
    users: () => types.before.usersOf(before.id, direction),
  }
  if (old && now) types.compareValueTypes(old, now, location)
  const isKnown = direction === 'request' || direction === 'response'
  if (!old === !now || !isKnown) return
  // Further fields cannot be arguments of a method, so all fields are in one.
  const isBody = direction === 'request' && types.after.isBody(after)
  const introduced = isBody ? 'request-body-opened' : `${direction}-map-introduced`
  types.add(now ? introduced : `${direction}-map-closed`, location, {})
}

function fieldsOf({ settled: _ }: Types, model: Model, side: Side, direction: Direction): Field[] {
  const travels = direction === 'request' ? isSent : isReceived
  return side.index.fields(model).filter(travels)
}

/** Names of fields that are settled on either side. */
function settledWires({ before, after, settled }: Types, old: Model, now: Model): Set<string> {
  const fields = [...before.index.fields(old), ...after.index.fields(now)]
  return new Set(fields.filter((field) => settled.has(field)).map(({ wire }) => wire))
}

/** Whether the service refuses fields that an object does not have. */
function isClosed(side: Side, { pointer }: Model): boolean {
  const node = object(side.at(pointer))
  return node.additionalProperties === false || node.unevaluatedProperties === false
}
