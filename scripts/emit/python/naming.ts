import { pascal, words } from '../../build/words.ts'
import type { Api, Name, Operation, Resource } from '../../model/types.ts'
import type { NameClash } from '../core/clash.ts'

const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally
  for from global if import in is lambda nonlocal not or pass raise return try while with
  yield`.split(/\s+/),
)

/** What models have beside their fields, and what annotations in them rely on. */
const MODEL_MEMBERS = new Set(['to_dict', 'from_dict', 'read', 'extra', 'dt', 'builtins'])

/** What methods take beside their own arguments, and what their bodies rely on. */
const ARGUMENTS = new Set(
  `self idempotency_key timeout max_retries extra_headers options types path_params builtins
  as_is cast each partial read_date read_date_time untagged values`.split(/\s+/),
)

/** What resources have beside their methods, and what annotations in them rely on. */
const RESOURCE_MEMBERS = new Set('with_raw_response types overload builtins dt'.split(' '))

/** What every client has beside its resources. */
const CLIENT_MEMBERS = new Set('close with_options request paginate'.split(' '))

/** What the runtime makes public, by module. */
export const RUNTIME: Readonly<Record<string, readonly string[]>> = {
  '_core.errors': ['APIConnectionError', 'APIError', 'APITimeoutError', 'InvalidResponseError'],
  '_core.model': ['Model', 'UnknownVariant'],
  '_core.operation': ['Operation', 'PageFields', 'Style'],
  '_core.options': ['ClientOptions', 'RequestArguments', 'RequestOptions'],
  '_core.pages': ['AsyncPage', 'AsyncPages', 'Page'],
  '_core.raw': ['RawResponse'],
  '_core.reply': ['Reply'],
  '_core.trace': ['Attempt', 'Trace'],
  '_core.unset': ['UNSET', 'Unset'],
}

/** Names that the module of types imports. */
const TYPING = ['Any', 'ClassVar', 'Literal', 'Mapping', 'TypeAlias']

/** `SnakeCase` → `snake_case`. A name cannot begin with a digit, nor, being public, with `_`. */
export function snake(name: Name): string {
  const joined = name.map((word) => word.toLowerCase()).join('_')
  return joined.replace(/^(?=\P{L})|^$/u, 'n')
}

export function attribute(name: Name): string {
  return free(snake(name), MODEL_MEMBERS)
}

export function argument(name: Name): string {
  return free(snake(name), ARGUMENTS)
}

export function methodName({ method }: Operation): string {
  return free(snake(method), RESOURCE_MEMBERS)
}

/** What a resource is called in what holds it. */
export function resourceName({ path }: Resource): string {
  return free(snake(path.at(-1) ?? []), RESOURCE_MEMBERS)
}

/** `ConversationsMessagesResource`; the suffix keeps it apart from a schema of the same name. */
export function resourceClass({ path }: Resource): string {
  return `${pascal(path.flat())}Resource`
}

/** From the package. Modules of resources lie flat, so that all import alike. */
export function resourceModule({ path }: Resource): string {
  return `_generated.resources.${resourceFile(path)}`
}

/** The expression that calls an operation, without its arguments. */
export function callPath(operation: Operation): string {
  const resources = operation.resource.map((name) => free(snake(name), RESOURCE_MEMBERS))
  return ['client', ...resources, methodName(operation)].join('.')
}

/** The function that reads a union. */
export function unionReader(id: string): string {
  return `_read_${snake(words(id))}`
}

/** Names that are right in the document but cannot be given in Python. */
export function nameClashes(api: Api): NameClash[] {
  return [...typeClashes(api), ...memberClashes(api), ...argumentClashes(api)]
}

function typeClashes({ platform: { client }, policy, decls }: Api): NameClash[] {
  const taken = new Set([
    ...Object.values(RUNTIME).flat(),
    ...TYPING,
    ...policy.errors.classes.map(({ name }) => name),
    ...[client, `Async${client}`, `${client}Error`, 'Outcome'],
  ])
  return decls
    .filter(({ id }) => taken.has(id) || KEYWORDS.has(id))
    .map(({ id, pointer }) => ({
      pointer,
      message: `the Python SDK has a type ${id} of its own`,
      fix: 'Rename the schema by x-sdk-name, in the document or by an --overlay',
    }))
}

function memberClashes({ operations }: Api): NameClash[] {
  const modules = new Map<string, string>()
  return operations.flatMap((operation) => {
    const { pointer, resource } = operation
    const path = resource.map(snake).join('.')
    const module = resourceFile(resource)
    const isShared = (modules.get(module) ?? path) !== path
    modules.set(module, path)
    if (!isShared && !CLIENT_MEMBERS.has(snake(resource[0] ?? []))) return []
    const message = `the Python SDK cannot have ${callPath(operation).replace('client.', '')}`
    const fix =
      'Name resource and method otherwise by x-sdk-method, in the document or by an --overlay'
    return [{ pointer, message, fix }]
  })
}

function argumentClashes({ operations }: Api): NameClash[] {
  return operations.flatMap(({ id, pointer, pathParams, queryParams, headerParams }) => {
    const names = [...pathParams, ...queryParams, ...headerParams].map(({ name }) => argument(name))
    const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
    return twice.map((name) => ({
      pointer,
      message: `the Python SDK cannot have two arguments ${name} of ${id}`,
      fix: 'Name one of the parameters by x-sdk-name, in the document or by an --overlay',
    }))
  })
}

function resourceFile(path: readonly Name[]): string {
  return free(snake(path.flat()), new Set())
}

function free(name: string, taken: ReadonlySet<string>): string {
  return KEYWORDS.has(name) || taken.has(name) ? `${name}_` : name
}
