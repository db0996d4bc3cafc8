import { isObject, type Json, pointerOf, walk } from '../contract/json.ts'
import type { Assumption, Operation, Webhook } from '../model/types.ts'
import { dotted } from '../model/words.ts'
import { assumedOf, type Context, pathOf } from './context.ts'
import type { Schemas } from './schemas.ts'

/** Every assumption of the document, by pointer, with the types and methods that depend on it. */
export function assumptionsOf(
  context: Context,
  operations: readonly Operation[],
  webhooks: readonly Webhook[],
  schemas: Schemas,
): Assumption[] {
  const users = usersOf(context, operations, webhooks)
  const found: Assumption[] = []
  walk(context.document, (node, path, names) => {
    const reason = names || !isObject(node) ? null : assumedOf(node)
    if (reason === null) return
    const pointer = pointerOf(path)
    found.push({ pointer, reason: oneLine(reason), shows: shows(path, users, schemas) })
  })
  return found.sort((a, b) => (a.pointer < b.pointer ? -1 : 1))
}

/** The methods and events that use a part of the document, by the first keys of its pointer. */
type Users = ReadonlyMap<string, ReadonlySet<string>>

function usersOf(
  context: Context,
  operations: readonly Operation[],
  webhooks: readonly Webhook[],
): Users {
  const users = new Map<string, Set<string>>()
  const members: Array<[name: string, pointer: string]> = [
    ...operations.map(({ resource, method, pointer }): [string, string] => [
      dotted(resource, method),
      pointer,
    ]),
    ...webhooks.map(({ event }): [string, string] => [
      event,
      pointerOf(['webhooks', event, 'post']),
    ]),
  ]
  for (const [name, pointer] of members) {
    const item = pointer.slice(0, pointer.lastIndexOf('/'))
    const shared = (context.at(item) as Json).parameters
    const nodes = [context.at(pointer), shared]
    const references = nodes.flatMap((node) => [...referencesOf(node, context)])
    for (const used of [pointer, ...references]) {
      users.set(used, (users.get(used) ?? new Set()).add(name))
    }
  }
  return users
}

/** The pointers that a node refers to, directly or not. References to schemas are left to types. */
function referencesOf(node: unknown, context: Context, seen = new Set<string>()): Set<string> {
  walk(node, (at) => {
    const ref = (at as Json).$ref
    if (typeof ref !== 'string' || ref.includes('/schemas/')) return
    const pointer = pointerOf(pathOf(ref))
    if (seen.has(pointer)) return
    seen.add(pointer)
    referencesOf(context.find(ref), context, seen)
  })
  return seen
}

function shows(path: readonly string[], users: Users, schemas: Schemas): string[] {
  if (path[0] === 'components' && path[1] === 'schemas') {
    return [schemas.declarations.idOf(path[2] ?? '')]
  }
  return [...(users.get(pointerOf(path.slice(0, 3))) ?? [])].sort()
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
