import { object } from '../../contract/json.ts'
import type { Field, Operation } from '../../model/types.ts'
import { dotted, fold } from '../../model/words.ts'
import { compareRequestBodies, compareResponses } from './bodies.ts'
import { compareModels } from './models.ts'
import { compareParameters } from './parameters.ts'
import type { Side } from './side.ts'
import type { Types } from './types.ts'

export interface Pair {
  before: Operation
  after: Operation
}

/** Compares all operations, and what their requests and responses hold. */
export function compareOperations(types: Types, pairs: readonly Pair[]): void {
  const { before, after, findings } = types
  const olds = new Set(pairs.map(({ before }) => before))
  const news = new Set(pairs.map(({ after }) => after))
  for (const operation of before.api.operations.filter((one) => !olds.has(one))) {
    const { id: key, pointer } = operation
    const subject = { of: 'operation', operation } as const
    const users = [operation.id]
    findings.add({
      kind: 'operation-removed',
      key,
      before: pointer,
      after: null,
      subject,
      named: 'before',
      users,
    })
  }
  for (const operation of after.api.operations.filter((one) => !news.has(one))) {
    const { id: key, pointer } = operation
    const subject = { of: 'operation', operation } as const
    const users = [operation.id]
    findings.add({
      kind: 'operation-added',
      key,
      before: null,
      after: pointer,
      subject,
      named: 'after',
      users,
    })
  }
  compareFormer(types)
  for (const pair of pairs) {
    compareCalls(types, pair)
    compareParameters(types, pair)
    comparePages(types, pair)
    compareIdempotency(types, pair)
    compareRequestBodies(types, pair)
    compareResponses(types, pair)
  }
}

/** Old names of methods that are gone. */
function compareFormer({ before, after, findings }: Types): void {
  const kept = new Set([...after.api.operations, ...after.former].map(name))
  for (const operation of before.former.filter((one) => !kept.has(name(one)))) {
    const next = after.api.operations.find(({ id }) => id === operation.id)
    // Where the operation is gone, that is the change.
    if (!next) continue
    findings.add({
      kind: 'operation-old-name-removed',
      key: `${operation.id} ${name(operation)}`,
      before: operation.pointer,
      after: next.pointer,
      subject: { of: 'operation', operation },
      named: 'before',
      values: { before: name(operation), after: name(next) },
      users: [next.id],
    })
  }
}

function name({ resource, method }: Operation): string {
  return dotted(resource, method)
}

/** The operations that are the same on both sides. */
export function pairOperations(before: Side, after: Side): Pair[] {
  const left = new Set(before.api.operations)
  const right = new Set(after.api.operations)
  const pairs: Pair[] = []
  const pass = (keyOf: (operation: Operation, side: Side) => unknown, oldKeyOf = keyOf) => {
    const byKey = new Map([...left].map((operation) => [oldKeyOf(operation, before), operation]))
    for (const operation of [...right]) {
      const key = keyOf(operation, after)
      const partner = key === undefined ? undefined : byKey.get(key)
      if (!partner || !left.has(partner)) continue
      left.delete(partner)
      right.delete(operation)
      pairs.push({ before: partner, after: operation })
    }
  }
  const id = ({ id }: Operation) => id
  pass(id)
  pass(({ pointer }, side) => object(side.at(pointer))['x-renamed-from'], id)
  pass(({ id }) => id.replace(/\{[^{}]*\}/g, '{}'))
  pass(({ resource, method }) => [...resource, method].map(fold).join('.'))
  pass(({ pointer }, side) => object(side.at(pointer)).operationId)
  return pairs
}

/** The address and the names of an operation, and what is said about it. */
function compareCalls(types: Types, { before, after }: Pair): void {
  const add = adder(types, { before, after })
  const wires = ({ pathParams }: Operation) => pathParams.map(({ wire }) => wire)
  const [old, now] = [wires(before), wires(after)]
  const isReordered = old.join() !== now.join() && [...old].sort().join() === [...now].sort().join()
  const shape = ({ path }: Operation) => path.replace(/\{[^{}]*\}/g, '{}')
  if (isReordered) add('path-parameters-reordered', old.join(', '), now.join(', '))
  else if (shape(before) !== shape(after) && old.length === now.length)
    add('operation-path-changed', before.path, after.path)
  if (before.verb !== after.verb) add('operation-method-changed', before.verb, after.verb)

  const resource = (operation: Operation) => operation.resource.map(fold).join('.')
  const isKept = types.after.former.some((one) => name(one) === name(before))
  const suffix = isKept ? '-kept' : ''
  if (resource(before) !== resource(after)) {
    add(`operation-moved${suffix}`, name(before), name(after))
  } else if (name(before) !== name(after)) {
    add(`operation-renamed${suffix}`, name(before), name(after))
  }

  if (!before.doc.deprecated && after.doc.deprecated) add('operation-deprecated')
  const [was, is] = [isPreview(before, types.before), isPreview(after, types.after)]
  const isWhole = types.before.api.stability !== types.after.api.stability
  if (was !== is && !isWhole) add(is ? 'operation-destabilized' : 'operation-stabilized')
  if (before.doc.text !== after.doc.text || before.summary !== after.summary) {
    add('operation-documentation-changed')
  }
}

function comparePages(types: Types, { before, after }: Pair): void {
  const add = adder(types, { before, after })
  const [old, now] = [before.page, after.page]
  if (!old || !now) {
    if (now) add('pagination-introduced')
    if (old) add('pagination-removed')
    return
  }
  const keys = [
    ['pagination-items-renamed', old.items, now.items],
    [cursorKind(types.before, before), old.nextCursor, now.nextCursor],
    ['pagination-cursor-parameter-renamed', old.cursorParam, now.cursorParam],
    ['pagination-limit-parameter-renamed', old.limitParam, now.limitParam],
  ] as const
  for (const [kind, from, to] of keys) {
    if (from !== null && to !== null && from !== to) add(kind, from, to)
  }
  comparePageFields(types, { before, after })
  types.compare(old.item, now.item, {
    direction: 'response',
    prefix: 'response',
    key: `${before.id}/items`,
    subject: { of: 'operation', operation: before },
    before: before.pointer,
    after: after.pointer,
    users: () => [after.id],
  })
}

/** A client misses a cursor that must be there. */
function cursorKind({ index }: Side, { page, result }: Operation): string {
  const [type] = result.types
  const model = type && index.model(type)
  const field = model && index.fields(model).find(({ wire }) => wire === page?.nextCursor)
  return `pagination${field?.presence === 'optional' ? '-optional' : ''}-cursor-renamed`
}

function comparePageFields(types: Types, { before, after }: Pair): void {
  const [old, now] = [before.result.types[0], after.result.types[0]]
  const model = old && types.before.index.model(old)
  const newModel = now && types.after.index.model(now)
  if (model && newModel) compareModels(types, model, newModel, 'response', 'page-field')
}

/** The lists of pages, and cursors that have other names, about which the pagination speaks. */
export function pageFields({ before, after }: Pair, old: Side, now: Side): Field[] {
  const fieldsOf = ({ result }: Operation, { index }: Side) => {
    const model = result.types[0] && index.model(result.types[0])
    return model ? index.fields(model) : []
  }
  const [from, to] = [before.page, after.page]
  if (!from || !to) return []
  const names = new Set([from.items, to.items])
  if (from.nextCursor !== to.nextCursor) names.add(from.nextCursor).add(to.nextCursor)
  return [...fieldsOf(before, old), ...fieldsOf(after, now)].filter(({ wire }) => names.has(wire))
}

function compareIdempotency(types: Types, { before, after }: Pair): void {
  const add = adder(types, { before, after })
  const [old, now] = [before.idempotency, after.idempotency]
  if (!old && now) add('idempotency-added')
  if (old && !now) add('idempotency-removed')
  if (!old || !now) return
  if (old.header.toLowerCase() !== now.header.toLowerCase()) {
    add('idempotency-header-renamed', old.header, now.header)
  }
  if (!before.retryable && after.retryable) add('idempotency-confirmed')
}

/** Adds findings about an operation as a whole. */
export function adder(types: Types, { before, after }: Pair) {
  return (kind: string, from?: string, to?: string) => {
    types.findings.add({
      kind,
      key: before.id,
      before: before.pointer,
      after: after.pointer,
      subject: { of: 'operation', operation: before },
      named: 'before',
      values: { ...(from && { before: from }), ...(to && { after: to }) },
      users: [after.id],
    })
  }
}

function isPreview({ isPreview }: Operation, { api }: Side): boolean {
  return isPreview || api.stability === 'preview'
}
