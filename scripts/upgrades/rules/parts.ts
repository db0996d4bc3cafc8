// What changes are about, in both revisions.
import type { Finding } from '../../changes/compare/findings.ts'
import { partsOf } from '../../changes/compare/index.ts'
import { Side } from '../../changes/compare/side.ts'
import type { Revision } from '../../changes/revision.ts'
import { indexOf, type TypeIndex } from '../../model/index.ts'
import type { Api, Decl, Field, Operation, Parameter, Webhook } from '../../model/types.ts'

/** Both revisions, and what changes between them. */
export interface Pair {
  before: Api
  after: Api
  side: Side
  parts: ReadonlyMap<string, Finding>
}

const pairs = new WeakMap<Revision, WeakMap<Revision, Pair>>()

/** Compared once for all languages. */
export function pairOf(before: Revision, after: Revision): Pair {
  const known = pairs.get(before)?.get(after)
  if (known) return known
  const pair: Pair = {
    before: before.api,
    after: after.api,
    side: new Side(before),
    parts: partsOf(before, after),
  }
  const others = pairs.get(before) ?? new WeakMap<Revision, Pair>()
  pairs.set(before, others.set(after, pair))
  return pair
}

export function newOperation({ after }: Finding, api: Api): Operation | undefined {
  return api.operations.find(({ pointer }) => pointer === after)
}

/** The operations that a change reaches, as the old revision has them. */
export function oldOperations({ users, subject }: Finding, { before, after }: Pair): Operation[] {
  const own = subject.of === 'operation' || subject.of === 'parameter' ? [subject.operation] : []
  const reached = users.flatMap((user) => {
    const known = before.operations.find(({ id }) => id === user)
    if (known) return [known]
    // It has another address now, and the same names.
    const moved = after.operations.find(({ id }) => id === user)
    return before.operations.filter(
      ({ resource, method }) =>
        moved && String([resource, method]) === String([moved.resource, moved.method]),
    )
  })
  return [...new Set([...own.filter((one) => before.operations.includes(one)), ...reached])]
}

/** The events that a change reaches, as the old revision has them. */
export function oldEvents({ users, subject }: Finding, { before }: Pair): Webhook[] {
  const own = subject.of === 'event' ? [subject.webhook] : []
  const reached = before.webhooks.filter(({ event }) => users.includes(`webhook ${event}`))
  return [...new Set([...own.filter((one) => before.webhooks.includes(one)), ...reached])]
}

/** The field that has another name now. */
export function newField({ after }: Finding, api: Api): Field | undefined {
  return fieldsOf(api).find(({ pointer }) => pointer === after)
}

function fieldsOf({ decls }: Api): Field[] {
  return decls.flatMap((decl) => (decl.kind === 'model' ? decl.fields : []))
}

/** The parameter of the new operation with a name. */
export function newParameter(api: Api, operation: Operation, wire: string): Parameter | undefined {
  const partner =
    api.operations.find(({ id }) => id === operation.id) ??
    api.operations.find(({ pointer }) => pointer === operation.pointer)
  if (!partner) return undefined
  const { pathParams, queryParams, headerParams } = partner
  return [...queryParams, ...headerParams, ...pathParams].find((one) => one.wire === wire)
}

/** What has a field: objects, their heirs included, and the unions whose tag it is. */
export function ownersOf(owner: Decl, field: Field, { decls }: Api): Decl[] {
  const index = indexOf(decls)
  const unions = decls.filter(
    (decl) =>
      decl.kind === 'union' &&
      decl.tag?.property === field.wire &&
      decl.variants.some((variant) => index.target(variant) === owner),
  )
  if (unions.length > 0) return [...unions, ...unions.flatMap((union) => variantsOf(union, index))]
  const heirs = decls.filter((decl) => decl.kind === 'model' && index.fields(decl).includes(field))
  return heirs.includes(owner) ? heirs : [owner, ...heirs]
}

function variantsOf(union: Decl, index: TypeIndex): Decl[] {
  if (union.kind !== 'union') return []
  return union.variants.flatMap((variant) => index.target(variant) ?? [])
}
