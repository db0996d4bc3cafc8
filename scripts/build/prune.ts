import { idsOf, reachableFrom, typesOf } from '../model/reach.ts'
import type { Api, Decl, Operation, TypeRef, Webhook } from '../model/types.ts'

/** What is left of an API without some owners: their users are taken out as well. */
export interface Pruned {
  operations: Operation[]
  webhooks: Webhook[]
  decls: Decl[]
  /** What was taken out: ids of operations, webhooks and declarations. */
  removed: string[]
}

/** Takes out what cannot be made, and all that needs it. */
export function prune(
  api: Pick<Api, 'operations' | 'webhooks' | 'decls'>,
  bad: Set<string>,
): Pruned {
  const decls = new Map(api.decls.map((decl) => [decl.id, decl]))
  const isSpoilt = (types: readonly TypeRef[]) =>
    [...reachableFrom(types.flatMap(idsOf), decls)].some((id) => bad.has(id))
  const keep = {
    operations: api.operations.filter((one) => !bad.has(one.id) && !isSpoilt(typesOf(one))),
    webhooks: api.webhooks.filter(
      (one) => !bad.has(`webhook ${one.event}`) && !isSpoilt([one.payload]),
    ),
    decls: api.decls.filter(({ id }) => !isSpoilt([{ kind: 'ref', id }])),
  }
  const orphans = new Set(
    api.operations
      .filter((one) => !keep.operations.includes(one))
      .flatMap(({ params }) => params ?? []),
  )
  const removed = [
    ...api.operations.filter((one) => !keep.operations.includes(one)).map(({ id }) => id),
    ...api.webhooks
      .filter((one) => !keep.webhooks.includes(one))
      .map(({ event }) => `webhook ${event}`),
    ...api.decls.filter((one) => !keep.decls.includes(one)).map(({ id }) => `type ${id}`),
  ]
  return { ...keep, decls: keep.decls.filter(({ id }) => !orphans.has(id)), removed }
}
