import type { Api, Decl, Operation, Refusal, Resource } from '../../model/types.ts'
import { RENAME, RENAME_METHOD, RENAME_SCHEMA } from '../core/clashes.ts'
import { callOf, keywords, positional } from './call.ts'
import { Declarations } from './declarations.ts'
import { groupBy } from './file.ts'
import { baseError } from './names.ts'
import { member, methodName, resourceClass, resourceMethod } from './naming.ts'

/** Constants of the runtime. */
export const TAKEN_CONSTANTS: ReadonlySet<string> = new Set(
  `AbortedCall APIConnectionError APIError APITimeoutError Client Core InvalidResponseError KnownEvent Page
  RawResponse Testing UnknownEvent UnknownVariant VERSION
  WebhookVerificationError Webhooks`.split(/\s+/),
)

/** The members of every client besides its resources. */
const CLIENT_METHODS = new Set(['close', 'list', 'request', 'with_options', 'with_response'])

/** The members of every resource besides its methods. */
const RESOURCE_METHODS = new Set(['with_response'])

/** Names that are right in the document but cannot be given in Ruby. */
export function nameClashes(api: Api): Refusal[] {
  const declarations = new Declarations(api)
  return [
    ...constantClashes(api, declarations),
    ...declarations.constants.flatMap((decl) => fieldClashes(decl, declarations)),
    ...methodClashes({ path: [], operations: [], children: api.resources }, CLIENT_METHODS),
    ...classClashes(api.resources),
    ...api.operations.flatMap((operation) => argumentClashes(operation, declarations)),
  ]
}

function constantClashes(api: Api, declarations: Declarations): Refusal[] {
  const { policy, resources } = api
  const taken = new Set([
    ...TAKEN_CONSTANTS,
    baseError(api),
    ...policy.errors.classes.map(({ name }) => name),
    ...resources.flatMap(family).map(resourceClass),
  ])
  const byId = groupBy(declarations.constants, ({ id }) => id)
  return [...byId].flatMap(([id, decls]) =>
    (taken.has(id) ? decls : decls.slice(1)).map(({ pointer }) => ({
      pointer,
      message: `the Ruby SDK already has a constant ${id}`,
      fix: RENAME_SCHEMA,
    })),
  )
}

function family(resource: Resource): Resource[] {
  return [resource, ...resource.children.flatMap(family)]
}

function fieldClashes(decl: Decl, declarations: Declarations): Refusal[] {
  if (decl.kind !== 'model') return []
  const byName = groupBy(declarations.fields(decl), ({ name }) => member(name))
  return [...byName].flatMap(([name, fields]) =>
    fields.slice(1).map(({ pointer, wire }) => ({
      pointer,
      message: `the Ruby SDK calls ${wire} of ${decl.id} ${name}, like ${fields[0]?.wire}`,
      fix: RENAME,
    })),
  )
}

/** Methods of a resource, or of the client, that are called like another. */
function methodClashes(
  { path, operations, children }: Omit<Resource, 'text'>,
  own: ReadonlySet<string> = RESOURCE_METHODS,
): Refusal[] {
  const members = [
    ...children.map((child) => ({ name: resourceMethod(child), pointer: firstPointer(child) })),
    ...operations.map((operation) => ({
      name: methodName(operation),
      pointer: operation.pointer,
    })),
  ]
  const taken = members.filter(
    ({ name }, index) => own.has(name) || members.findIndex((one) => one.name === name) < index,
  )
  return [
    ...taken.map(({ name, pointer }) => ({
      pointer,
      message: `the Ruby SDK already has a method ${[...path.map(member), name].join('.')}`,
      fix: RENAME_METHOD,
    })),
    ...children.flatMap((child) => methodClashes(child)),
  ]
}

/** Resources whose classes have the same name: `a.b_c` and `a_b.c`. */
function classClashes(resources: readonly Resource[]): Refusal[] {
  const byClass = groupBy(resources.flatMap(family), resourceClass)
  return [...byClass].flatMap(([name, several]) =>
    several.slice(1).map((resource) => ({
      pointer: firstPointer(resource),
      message: `the Ruby SDK already has a constant ${name}`,
      fix: RENAME_METHOD,
    })),
  )
}

/** Parameters of one method that are called alike. */
function argumentClashes(operation: Operation, declarations: Declarations): Refusal[] {
  const call = callOf(operation, declarations)
  const byName = groupBy([...positional(call), ...keywords(call)], ({ variable }) => variable)
  return [...byName].flatMap(([name, several]) =>
    several.slice(1).map(({ key }) => ({
      pointer: operation.pointer,
      message: `the Ruby SDK calls the parameter ${key} ${name}, like ${several[0]?.key}`,
      fix: RENAME,
    })),
  )
}

/** Where the first operation of a resource or of its children stands. */
function firstPointer({ operations, children }: Resource): string {
  const [operation] = operations
  const [child] = children
  return operation?.pointer ?? (child ? firstPointer(child) : '')
}
