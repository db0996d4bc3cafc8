import { idsOf, referencedBy, typesOf } from '../model/reach.ts'
import type { Api, Decl, Operation, Resource, TypeRef } from '../model/types.ts'
import { dotted } from '../model/words.ts'
import { settle } from './settle.ts'

/** The API that is left, and the parts that were removed. */
export interface Pruned {
  api: Api
  /** Ids of operations, events and types. */
  removed: string[]
}

/** Takes out what cannot be made, and all that needs it. */
export function prune(api: Api, unsupported: ReadonlySet<string>): Pruned {
  if (unsupported.size === 0) return { api, removed: [] }
  const spoilt = usersOf(unsupported, api.decls)
  const isSpoilt = (types: readonly TypeRef[]) => types.flatMap(idsOf).some((id) => spoilt.has(id))
  const gone = {
    operations: api.operations.filter((one) => unsupported.has(one.id) || isSpoilt(typesOf(one))),
    webhooks: api.webhooks.filter(
      (one) => unsupported.has(`webhook ${one.event}`) || isSpoilt([one.payload]),
    ),
    decls: api.decls.filter(({ id }) => spoilt.has(id)),
  }
  const operations = without(api.operations, gone.operations)
  const webhooks = without(api.webhooks, gone.webhooks)
  const used = new Set(operations.map(({ params }) => params))
  const orphans = new Set(gone.operations.map(({ params }) => params).filter((id) => !used.has(id)))
  const decls = without(api.decls, gone.decls).filter(({ id }) => !orphans.has(id))
  const members = new Set([
    ...gone.operations.map(({ resource, method }) => dotted(resource, method)),
    ...gone.webhooks.map(({ event }) => event),
  ])
  return {
    api: {
      ...api,
      operations,
      webhooks,
      ...settle({ operations, webhooks, decls }),
      resources: resourcesWithout(api.resources, gone.operations),
      assumptions: api.assumptions.map((assumption) => ({
        ...assumption,
        shows: assumption.shows.filter((name) => !members.has(name)),
      })),
    },
    removed: [
      ...gone.operations.map(({ id }) => id),
      ...gone.webhooks.map(({ event }) => `webhook ${event}`),
      ...gone.decls.map(({ id }) => `type ${id}`),
    ],
  }
}

/** A resource without operations and further resources is none. */
function resourcesWithout(resources: readonly Resource[], gone: readonly Operation[]): Resource[] {
  return resources
    .map((resource) => ({
      ...resource,
      operations: without(resource.operations, gone),
      children: resourcesWithout(resource.children, gone),
    }))
    .filter(({ operations, children }) => operations.length + children.length > 0)
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
