import type { Api, Name, Operation, Refusal, Resource } from '../../model/types.ts'
import { pascal } from '../../model/words.ts'
import { RENAME_METHOD, RENAME_SCHEMA } from '../core/clashes.ts'

/** Words that cannot name a variable in a module. */
const RESERVED = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval
  export extends false finally for function if implements import in instanceof interface let new null
  package private protected public return static super switch this throw true try typeof var void
  while with yield`.split(/\s+/),
)

/** The names of a method's arguments besides its path parameters. */
const ARGUMENTS = new Set(['body', 'params', 'options', 'request', 'query'])

/** Types that the package exports by itself, or that generated code relies on. */
export const TAKEN_TYPES: ReadonlySet<string> = new Set(
  `AbortedCall AbortedCallError APIConnectionError APIError APIErrorFields APIPromise APITimeoutError Attempt AttemptResponse
  BaseClient BaseError Blob BodyCodec ClientOptions Fetch HeaderValues InvalidResponse
  InvalidResponseError LogFields Logger LogLevel Middleware Mismatch MismatchHook
  MismatchProblem Next Omit Operation
  Outcome Page PageFields PagePromise ParsedAs Promise RawClient RawInit RawResult Record RequestInput
  RequestOptions Trace VERSION WithResponse`.split(/\s+/),
)

/** The names that share a module with the types of events. */
export const TAKEN_EVENTS: ReadonlySet<string> = new Set(
  `DedupeLease DedupeStore EventKind KnownEvent MemoryDedupeStore MemoryDedupeStoreOptions
  UnknownEvent UnlistedEvent WebhookBody WebhookEvent WebhookFailure WebhookHandler WebhookHeaders
  WebhookReceiver WebhookReceiverOptions WebhookRouter WebhookVerificationError Webhooks
  WebhooksOptions`.split(/\s+/),
)

/** The members of every client besides its resources. */
const CLIENT_MEMBERS = new Set([
  'baseURL',
  'raw',
  'withOptions',
  'request',
  'list',
  'fetch',
  'constructor',
])

export function camel(name: Name): string {
  const [first = '', ...rest] = name
  return first.toLowerCase() + pascal(rest)
}

export function kebab(name: Name): string {
  return name.map((word) => word.toLowerCase()).join('-')
}

/** The name of a variable; a reserved word ends in an underscore. */
export function variable(name: Name): string {
  const joined = camel(name).replace(/^(?=\P{L})/u, '_')
  return RESERVED.has(joined) || ARGUMENTS.has(joined) ? `${joined}_` : joined
}

/** `ConversationsMessagesResource`; the suffix keeps it apart from a schema of the same name. */
export function resourceClass({ path }: Resource): string {
  return `${pascal(path.flat())}Resource`
}

/** From the folder of generated files, without an extension. */
export function resourceModule({ path }: Resource): string {
  return `resources/${path.map(kebab).join('/')}`
}

export function methodName({ method }: Operation): string {
  return camel(method)
}

/** Names that are right in the document but cannot be given in TypeScript. */
export function nameClashes(api: Api): Refusal[] {
  const { client } = api.platform
  const errors = api.policy.errors.classes.map(({ name }) => name)
  const taken = new Set([...TAKEN_TYPES, client, `${client}Error`, 'paths', ...errors])
  if (api.webhooks.length > 0) for (const name of TAKEN_EVENTS) taken.add(name)
  const types = api.decls
    .filter(({ id }) => taken.has(id))
    .map(({ id, pointer }) => ({
      pointer,
      message: `the TypeScript SDK already has a type ${id}`,
      fix: RENAME_SCHEMA,
    }))
  const members = api.operations
    .filter(({ resource, method }) => {
      const first = camel(resource[0] ?? [])
      return CLIENT_MEMBERS.has(first) || camel(method) === 'constructor'
    })
    .map(({ pointer, resource, method }) => ({
      pointer,
      message: `the TypeScript SDK cannot have ${[...resource, method].map(camel).join('.')}`,
      fix: RENAME_METHOD,
    }))
  return [...types, ...members]
}
