import { indexOf, type TypeIndex } from '../../model/index.ts'
import type { Api, Model, Operation, Refusal } from '../../model/types.ts'
import { RENAME, RENAME_METHOD, RENAME_SCHEMA } from '../core/clashes.ts'
import { parametersOf, shapesOf } from './arguments.ts'
import {
  argument,
  attribute,
  callPath,
  KEYWORDS,
  RUNTIME,
  resourceModule,
  resourceName,
  snake,
} from './naming.ts'
import { typesOf } from './types.ts'

/** Names that the module of types imports. */
const TYPING = ['Any', 'ClassVar', 'Literal', 'Mapping', 'TypeAlias']

/** The members of every client besides its resources. */
const CLIENT_MEMBERS = new Set(
  'close paginate request stream with_options with_raw_response'.split(' '),
)

/** Names that are right in the document but cannot be given in Python. */
export function nameClashes(api: Api): Refusal[] {
  const index = indexOf(api.decls)
  const models = typesOf(api).filter((decl) => decl.kind === 'model')
  return [
    ...typeClashes(api),
    ...models.flatMap((model) => fieldClashes(model, index)),
    ...memberClashes(api.operations),
    ...api.operations.flatMap((operation) => argumentClashes(operation, index)),
  ]
}

function typeClashes(api: Api): Refusal[] {
  const { platform, policy } = api
  const { client } = platform
  const taken = new Set([
    ...Object.values(RUNTIME).flat(),
    ...TYPING,
    ...policy.errors.classes.map(({ name }) => name),
    ...[client, `Async${client}`, `${client}Error`, 'LogLevel', 'Outcome'],
  ])
  return typesOf(api)
    .filter(({ id }) => taken.has(id) || KEYWORDS.has(id))
    .map(({ id, pointer }) => ({
      pointer,
      message: `the Python SDK already has a type ${id}`,
      fix: RENAME_SCHEMA,
    }))
}

function fieldClashes(model: Model, index: TypeIndex): Refusal[] {
  return repeated(index.fields(model), ({ name }) => attribute(name)).map((field) => ({
    pointer: field.pointer,
    message: `the Python SDK cannot have two fields ${attribute(field.name)} of ${model.id}`,
    fix: RENAME,
  }))
}

function memberClashes(operations: readonly Operation[]): Refusal[] {
  const owners = new Map<string, string>()
  const isTaken = ([location, owner]: Claim): boolean => {
    const first = owners.get(location) ?? owner
    owners.set(location, first)
    return first !== owner || CLIENT_MEMBERS.has(location)
  }
  return operations
    .filter((operation) => claimsOf(operation).filter(isTaken).length > 0)
    .map((operation) => ({
      pointer: operation.pointer,
      message: `the Python SDK cannot have ${memberPath(operation)}`,
      fix: RENAME_METHOD,
    }))
}

/** The location of a module or an attribute, and its owner. */
type Claim = [location: string, owner: string]

/** Resources and methods are attributes alike; resources are modules too. */
function claimsOf(operation: Operation): Claim[] {
  const { id, resource } = operation
  const resources = resource.flatMap((_, index): Claim[] => {
    const path = resource.slice(0, index + 1)
    const owner = path.map(snake).join('.')
    const attribute = path.map((name) => resourceName({ path: [name] })).join('.')
    return [
      [attribute, owner],
      [resourceModule({ path }), owner],
    ]
  })
  return [...resources, [memberPath(operation), id]]
}

function memberPath(operation: Operation): string {
  return callPath(operation).replace('client.', '')
}

function argumentClashes(operation: Operation, index: TypeIndex): Refusal[] {
  const { id, pointer, body, pathParams } = operation
  const parameters = [...pathParams, ...parametersOf(operation)].map(({ name }) => argument(name))
  const whole = body && !shapesOf(operation, index) ? ['body'] : []
  return repeated([...parameters, ...whole], (name) => name).map((name) => ({
    pointer,
    message: `the Python SDK cannot have two arguments ${name} of ${id}`,
    fix: RENAME,
  }))
}

/** The items with the same name as an earlier one. */
function repeated<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const names = items.map(nameOf)
  return items.filter((_, index) => names.indexOf(names[index] ?? '') < index)
}
