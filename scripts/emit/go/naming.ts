import type { Api, Field, Name, Operation, Platform, Resource } from '../../model/types.ts'
import { words } from '../../model/words.ts'

/** Words that Go writes in capitals, as staticcheck's ST1003 lists them. */
const INITIALISMS = new Set(
  `ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON QPS RAM RPC RTP SIP SLA SMTP SQL SSH
  TCP TLS TS TTL UDP UI UID UUID URI URL UTF8 VM XML XMPP XSRF XSS`.split(/\s+/),
)

/** Keywords, and the names that the body of a method uses itself. */
const TAKEN_ARGUMENTS = new Set(
  `break case chan const continue default defer else fallthrough for func go goto if import interface
  map package range return select struct switch type var any bool byte error float64 int64 nil string
  context iter time all call callByStatus callValue input list pages body ctx in opts params s`.split(
    /\s+/,
  ),
)

/** The exports of the runtime. */
export const TAKEN_TYPES: ReadonlySet<string> = new Set(
  `APIConnectionError APIError APITimeoutError AbortedCallError Attempt AttemptFromContext
  AttemptResult Client ClientOption Collect DoParams ErrNoNextPage Error Extra File
  InvalidResponseError LogOff MarshalJSON Middleware Mismatch MismatchMissing MismatchNull MismatchProblem
  MismatchUnreadable MismatchesOf NewClient Next Null Option Optional Outcome OutcomeNotSent
  OutcomeRejected OutcomeUnknown Page Ptr RequestOption Some Tracer UnmarshalJSON Version WithAPIKey WithBaseURL
  WithBodyField WithConnectTimeout WithHTTPClient WithHeader WithIdempotencyKey WithLenient WithLogLevel
  WithLogger WithMaxRetries WithMiddleware WithMismatchHook WithQuery WithRequestIDInto
  WithResponseInto WithStrict WithTimeout WithTracer WithoutHeader WithoutQuery`.split(/\s+/),
)

/** The exports of the runtime for webhooks. */
export const TAKEN_EVENTS: ReadonlySet<string> = new Set(
  `DedupeOption DedupeStore Event EventHeader FromPgx FromSQL HandlerOption Lease LeaseDone LeaseInProgress
  LeaseNew LeaseState MemoryDedupeStore NewMemoryDedupeStore NewPostgresDedupeStore NewRedisDedupeStore
  NewSQLiteDedupeStore NewWebhookReceiver NewWebhookRouter NewWebhooks OnEvent PostgresDedupeStore
  RedisClient RedisDedupeStore RedisReply SQLConnection SQLRow SQLiteDedupeStore SignWebhook SignatureHeader
  UnknownEvent WebhookHandler WebhookOption WebhookReceiver WebhookRouter WebhookVerificationError Webhooks
  WithBodyTimeout WithDedupeStore WithHolder WithKeep WithLease WithMaxBodyBytes WithNow WithOnError
  WithOnVerified WithPrefix WithStoreNow WithTable WithTolerance`.split(/\s+/),
)

/** The members of every event besides those of every model. */
export const TAKEN_BY_EVENTS: ReadonlySet<string> = new Set(['EventID', 'EventKind', 'EventTime'])

/** The members of every model besides its fields. */
const TAKEN_FIELDS = new Set(['Extra', 'AdditionalProperties', 'MarshalJSON', 'UnmarshalJSON'])

/** The package of the test kit, and its folder. */
export function testPackage({ goPackage }: Pick<Platform, 'goPackage'>): string {
  return `${goPackage}test`
}

/** An exported identifier. */
export function pascal(name: Name): string {
  const joined = suffix(name)
  return joined === '' ? 'Empty' : joined.replace(/^(?!\p{Lu})/u, 'X')
}

/** The form of a word in an identifier. */
function suffix(name: Name): string {
  return name
    .map((word) => word.replace(/[^\p{L}\p{Nd}]/gu, ''))
    .map((word) => initialism(word) ?? capitalized(word))
    .join('')
}

/** `ID` for `id`, `IDs` for `ids`; null for any other word. */
function initialism(word: string): string | null {
  const [, singular = ''] = /^(.+)s$/i.exec(word) ?? []
  if (INITIALISMS.has(word.toUpperCase())) return word.toUpperCase()
  return INITIALISMS.has(singular.toUpperCase()) ? `${singular.toUpperCase()}s` : null
}

/** A text with a capital letter. */
export function capitalized(word: string): string {
  const [first = '', ...rest] = word
  return first.toUpperCase() + rest.join('')
}

/** The name of an argument, like `threadID`. */
export function argument(name: Name): string {
  const [first = '', ...rest] = name
  const joined = (first.toLowerCase() + suffix(rest)).replace(/^(?!\p{L})/u, 'x')
  return untaken(joined)
}

function untaken(name: string): string {
  return TAKEN_ARGUMENTS.has(name) ? untaken(`${name}Value`) : name
}

export function fieldName({ name }: Field): string {
  const joined = pascal(name)
  return TAKEN_FIELDS.has(joined) ? `${joined}Field` : joined
}

/** The names of an enum's constants by its values, in their order. */
export function valueNames(type: string, values: ReadonlyArray<string | number>): string[] {
  const names: string[] = []
  for (const [index, value] of values.entries()) {
    const name = `${type}${valueName(String(value)) || `Value${index + 1}`}`
    names.push(names.includes(name) ? `${type}Value${index + 1}` : name)
  }
  return names
}

const SIGNS: Readonly<Record<string, string>> = { '-': 'Minus ', '+': 'Plus ' }

function valueName(value: string): string {
  if (value === '') return 'Empty'
  const spelled = value
    .replace(/^[-+](?=[\p{L}\p{Nd}])/u, (sign) => SIGNS[sign] ?? '')
    .replace(/(?<=\d)\.(?=\d)/g, ' Point ')
  return suffix(words(spelled))
}

/** `ConversationsMessagesService`. */
export function serviceType({ path }: Pick<Resource, 'path'>): string {
  return `${pascal(path.flat())}Service`
}

/** The field that leads to a resource from the one before it. */
export function serviceField({ path }: Resource): string {
  return pascal(path.at(-1) ?? [])
}

export function methodName({ method }: Operation): string {
  return pascal(method)
}

/** The method that goes through all pages of a list. */
export function allName(operation: Operation): string {
  const name = methodName(operation)
  if (name === 'List') return 'All'
  return name.includes('List') ? name.replace('List', 'All') : `All${name}`
}

/** The method that goes through the pages of a list. */
export function pagesName(operation: Operation): string {
  return allName(operation).replace('All', 'Pages')
}

/** All resources, each before those inside it. */
export function resourcesOf(resources: readonly Resource[]): Resource[] {
  return resources.flatMap((resource) => [resource, ...resourcesOf(resource.children)])
}

/** The names of types, by id. A name that the runtime exports gets the suffix `Model`. */
export function typeNames(api: Api): ReadonlyMap<string, string> {
  const { policy, webhooks } = api
  const taken = new Set([
    ...TAKEN_TYPES,
    ...(webhooks.length > 0 ? TAKEN_EVENTS : []),
    ...policy.errors.classes.map(({ name }) => name),
    ...resourcesOf(api.resources).map(serviceType),
  ])
  return new Map(
    api.decls.map(({ id, name }) => {
      const joined = pascal(name)
      return [id, taken.has(joined) ? `${joined}Model` : joined]
    }),
  )
}
