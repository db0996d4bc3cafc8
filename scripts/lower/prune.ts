import { idsOf, referencedBy, typesOf } from '../model/reach.ts'
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
  bad: ReadonlySet<string>,
): Pruned {
  const spoilt = usersOf(bad, api.decls)
  const isSpoilt = (types: readonly TypeRef[]) => types.flatMap(idsOf).some((id) => spoilt.has(id))
  const gone = {
    operations: api.operations.filter((one) => bad.has(one.id) || isSpoilt(typesOf(one))),
    webhooks: api.webhooks.filter(
      (one) => bad.has(`webhook ${one.event}`) || isSpoilt([one.payload]),
    ),
    decls: api.decls.filter(({ id }) => spoilt.has(id)),
  }
  const operations = without(api.operations, gone.operations)
  const used = new Set(operations.map(({ params }) => params))
  const orphans = new Set(gone.operations.map(({ params }) => params).filter((id) => !used.has(id)))
  return {
    operations,
    webhooks: without(api.webhooks, gone.webhooks),
    decls: without(api.decls, gone.decls).filter(({ id }) => !orphans.has(id)),
    removed: [
      ...gone.operations.map(({ id }) => id),
      ...gone.webhooks.map(({ event }) => `webhook ${event}`),
      ...gone.decls.map(({ id }) => `type ${id}`),
    ],
  }
}

function without<T>(all: readonly T[], some: readonly T[]): T[] {
  const out = new Set(some)
  return all.filter((one) => !out.has(one))
}

/** Some declarations, and all that name one of them, directly or not. */
function usersOf(ids: ReadonlySet<string>, decls: readonly Decl[]): Set<string> {
  const users = new Map<string, string[]>()
  for (const decl of decls) {
    for (const id of referencedBy(decl)) users.set(id, [...(users.get(id) ?? []), decl.id])
  }
  const found = new Set<string>()
  const pending = [...ids]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (found.has(id)) continue
    found.add(id)
    pending.push(...(users.get(id) ?? []))
  }
  return found
}
