import type { Api, Decl, Operation, Resource } from '../../model/types.ts'
import type { NameClash } from '../core/clash.ts'
import { Declarations } from './declarations.ts'
import { groupBy } from './file.ts'
import { member, methodName, OBJECT_METHODS, resourceClass, snake } from './naming.ts'

/** Constants of the runtime. */
export const TAKEN_CONSTANTS: ReadonlySet<string> = new Set(
  `APIConnectionError APIError APITimeoutError Client Core Error InvalidResponseError Page Response
  UnknownEvent UnknownVariant VERSION WebhookVerificationError Webhooks`.split(/\s+/),
)

/** Constants of Ruby that the runtime uses and that one of the same name would hide. */
export const RUBY_CONSTANTS: ReadonlySet<string> = new Set(
  `ArgumentError Array Class Comparable Date EOFError ENV Encoding EncodingError Errno File Float GC
  Hash IO IOError Integer JSON Kernel Method Module Mutex Net NilClass Numeric Object OpenSSL Proc
  Process Queue RUBY_VERSION Random Range Regexp SecureRandom Set SocketError StandardError String
  Struct Symbol SystemCallError Thread Time Timeout TrueClass URI Zlib`.split(/\s+/),
)

/** What every client has beside its resources. */
const CLIENT_METHODS = new Set(['close', 'list', 'request', 'with_options', 'with_response'])

/** Names that are right in the document but cannot be given in Ruby. */
export function nameClashes(api: Api): NameClash[] {
  const declarations = new Declarations(api)
  return [
    ...constantClashes(api, declarations),
    ...declarations.constants.flatMap((decl) => fieldClashes(decl, declarations)),
    ...api.operations.flatMap(operationClashes),
  ]
}

function constantClashes(api: Api, declarations: Declarations): NameClash[] {
  const { platform, policy, resources } = api
  const taken = new Set([
    ...TAKEN_CONSTANTS,
    ...RUBY_CONSTANTS,
    `${platform.client}Error`,
    ...policy.errors.classes.map(({ name }) => name),
    ...resources.flatMap(classes),
  ])
  return declarations.constants
    .filter(({ id }) => taken.has(id) || !/^[A-Z]/.test(id))
    .map(({ id, pointer }) => ({
      pointer,
      message: taken.has(id)
        ? `the Ruby SDK has a constant ${id} of its own`
        : `a constant of Ruby begins with a capital letter, and ${id} does not`,
      fix: 'Rename the schema by x-sdk-name, in the document or by an --overlay',
    }))
}

function classes(resource: Resource): string[] {
  return [resourceClass(resource), ...resource.children.flatMap(classes)]
}

function fieldClashes(decl: Decl, declarations: Declarations): NameClash[] {
  if (decl.kind !== 'model') return []
  const byName = groupBy(declarations.fields(decl), ({ name }) => member(name))
  return [...byName].flatMap(([name, fields]) =>
    fields.slice(1).map(({ pointer, wire }) => ({
      pointer,
      message: `the Ruby SDK calls ${wire} of ${decl.id} ${name}, like ${fields[0]?.wire}`,
      fix: 'Rename one of both by x-sdk-name, in the document or by an --overlay',
    })),
  )
}

function operationClashes(operation: Operation): NameClash[] {
  const { pointer, resource, pathParams } = operation
  const first = snake(resource[0] ?? [])
  const method = methodName(operation)
  const path = [...resource.map(member), method].join('.')
  const isTaken = CLIENT_METHODS.has(first) || OBJECT_METHODS.has(first)
  const taken = isTaken || method === 'with_response' ? [path] : []
  return [
    ...taken.map((name) => ({
      pointer,
      message: `the Ruby SDK cannot have ${name}`,
      fix: 'Name resource and method otherwise by x-sdk-method, in the document or by an --overlay',
    })),
    ...pathParams
      .filter(({ shape }) => shape === 'object')
      .map(({ wire }) => ({
        pointer,
        message: `the Ruby SDK cannot write an object into a path, as ${wire} of ${path} is`,
        fix: 'Describe the parameter as a scalar or a list',
      })),
  ]
}
