import type { Name, Operation, Resource } from '../../model/types.ts'
import { pascal, words } from '../../model/words.ts'

export const KEYWORDS: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally
  for from global if import in is lambda nonlocal not or pass raise return try while with
  yield`.split(/\s+/),
)

/** The members of models besides their fields, and the names that their annotations use. */
const MODEL_MEMBERS = new Set([
  'to_dict',
  'from_dict',
  'read',
  'extra',
  'dt',
  'builtins',
  'staticmethod',
])

/** The arguments that every method takes besides its own, and the names that its body uses. */
const ARGUMENTS = new Set(
  `self idempotency_key timeout connect_timeout max_retries extra_headers extra_query extra_body
  options types path_params builtins as_is bytes cast each given nothing partial parse_date
  parse_date_time str untagged values`.split(/\s+/),
)

/** The members of resources besides their methods, and the names that their annotations use. */
const RESOURCE_MEMBERS = new Set('with_raw_response types overload builtins dt'.split(' '))

/** The public names of the runtime, by module. */
export const RUNTIME: Readonly<Record<string, readonly string[]>> = {
  '_core.aborted': ['AbortedCall', 'aborted_call'],
  '_core.errors': ['APIConnectionError', 'APIError', 'APITimeoutError', 'InvalidResponseError'],
  '_core.mismatches': ['Mismatch', 'MismatchHook'],
  '_core.model': ['Model', 'UnknownVariant', 'request_id_of'],
  '_core.operation': ['Operation', 'PageFields', 'Style'],
  '_core.options': [
    'AsyncClientOptions',
    'AsyncMiddleware',
    'ClientOptions',
    'Middleware',
    'RequestArguments',
    'RequestOptions',
  ],
  '_core.pages': ['AsyncPage', 'AsyncPages', 'Page'],
  '_core.raw': ['AsyncStreamedResponse', 'RawResponse', 'StreamedResponse'],
  '_core.response': ['HTTPResponse'],
  '_core.trace': ['Attempt', 'Trace'],
  '_core.unset': ['UNSET', 'Unset'],
}

/** Characters that an identifier cannot contain. */
const FOREIGN = /[^\p{XID_Continue}]+/gu

/** `SnakeCase` → `snake_case`. A public name starts with neither a digit nor `_`. */
export function snake(name: Name): string {
  // Python takes identifiers for equal whose normal forms are.
  const joined = name.join('_').normalize('NFKC').toLowerCase().replace(FOREIGN, '_')
  return joined.replace(/^(?=\P{XID_Start})|^$/u, 'n')
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

/** The name of a resource in its parent. */
export function resourceName({ path }: Pick<Resource, 'path'>): string {
  return free(snake(path.at(-1) ?? []), RESOURCE_MEMBERS)
}

/** `ConversationsMessagesResource`; the suffix keeps it apart from a schema of the same name. */
export function resourceClass({ path }: Resource): string {
  return `${pascal(path.flat())}Resource`
}

/** From the package. Modules of resources lie flat, so that all import alike. */
export function resourceModule({ path }: Pick<Resource, 'path'>): string {
  return `_generated.resources.${resourceFile(path)}`
}

/** The expression that calls an operation, without its arguments. */
export function callPath(operation: Operation): string {
  const resources = operation.resource.map((name) => resourceName({ path: [name] }))
  return ['client', ...resources, methodName(operation)].join('.')
}

/** The function that reads a union. */
export function unionReader(id: string): string {
  return `read_${snake(words(id))}`
}

/** In ASCII, as names of modules are. */
function resourceFile(path: readonly Name[]): string {
  const name = snake(path.flat()).replace(/\P{ASCII}/gu, (letter) => {
    return `u${letter.codePointAt(0)?.toString(16)}`
  })
  return free(name, new Set())
}

function free(name: string, taken: ReadonlySet<string>): string {
  return KEYWORDS.has(name) || taken.has(name) ? `${name}_` : name
}
