// The model that all SDKs are generated from: plain data that JSON can hold. This folder imports
// nothing.

/** A name as its words, in the spelling of the document; each language joins and cases them. */
export type Name = readonly string[]

/** The documentation of a part of the API. */
export interface Doc {
  /** The description, else the summary, in Markdown. */
  text: string | null
  /** The reason for an assumption; null if this part is published. */
  assumed: string | null
  deprecated: boolean
}

export type Primitive =
  | 'string'
  | 'integer'
  /** Does not fit into a double. */
  | 'int64'
  | 'number'
  | 'boolean'
  | 'date'
  | 'date-time'
  /** Text that holds bytes. */
  | 'base64'
  /** Bytes as they are. */
  | 'binary'
  | 'null'
  /** Any JSON. */
  | 'any'

/** A use of a type. */
export type TypeRef =
  | { kind: 'primitive'; type: Primitive }
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'list'; of: TypeRef }
  | { kind: 'map'; of: TypeRef }
  | { kind: 'nullable'; of: TypeRef }
  /** `id` is that of a `Decl`. */
  | { kind: 'ref'; id: string }

/** A type with a name. */
export type Decl = Model | Enum | Union | Alias

interface Declared {
  /** Its key among the document's schemas, also where it was written inline. */
  id: string
  name: Name
  doc: Doc
  /** Its location in the document, as a JSON pointer. */
  pointer: string
  /** One value of it, where the document shows one. */
  example?: unknown
}

/** An object. */
export interface Model extends Declared {
  kind: 'model'
  /** Other declarations whose fields it has as well. */
  extends: string[]
  /** Required ones in the order of `required`, then the others by name. */
  fields: Field[]
  /** The type of fields that have no entry of their own; null where none are described. */
  extra: TypeRef | null
}

export interface Field {
  /** As it is called in JSON. */
  wire: string
  name: Name
  type: TypeRef
  /** Whether the document requires it; whether it may be null is said by its type. */
  presence: 'required' | 'optional'
  /**
   * Whether a value of the object may lack it: where it is optional, and where the object travels in
   * a direction in which the field does not.
   */
  mayBeAbsent: boolean
  /** `read`: only in responses; `write`: only in requests. */
  direction: 'both' | 'read' | 'write'
  default?: unknown
  /** How responses and events called it before; only where no field of the object has that name. */
  oldName?: { wire: string; name: Name }
  doc: Doc
  pointer: string
}

/** Some values of a primitive type. Others may come: no service promises that it adds none. */
export interface Enum extends Declared {
  kind: 'enum'
  base: 'string' | 'integer' | 'number'
  values: Array<string | number>
}

export interface Union extends Declared {
  kind: 'union'
  variants: TypeRef[]
  /** The field that distinguishes the variants. Null where only their shape does. */
  tag: Tag | null
}

export interface Tag {
  property: string
  /** Ids of declarations by the value of the field. */
  mapping: Record<string, string>
}

/** Another name of a type. */
export interface Alias extends Declared {
  kind: 'alias'
  type: TypeRef
  /** Whether it keeps the old name of the type for a release. */
  isOldName: boolean
}

export type Verb = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export type Stability = 'preview' | 'stable'

/** How a list or an object of a parameter becomes text, in OpenAPI's terms. */
export interface Style {
  style: 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  explode: boolean
}

export interface Parameter {
  wire: string
  name: Name
  type: TypeRef
  shape: 'scalar' | 'list' | 'object'
  /** Null for one value, and for a list or an object in the default style of its location. */
  style: Style | null
  required: boolean
  doc: Doc
  /** One value of it, where the document shows one. */
  example?: unknown
}

/** A value that the document shows. */
export interface Example {
  key: string
  summary: string | null
  value: unknown
}

/** How a body travels. */
export type Format = 'json' | 'text' | 'binary' | 'multipart' | 'urlencoded'

export interface Body {
  contentType: string
  format: Format
  type: TypeRef
  required: boolean
  doc: Doc
  examples: Example[]
}

/** One response, a success or an error. */
export interface Response {
  /** `200`, `4XX` or `default`. */
  status: string
  doc: Doc
  /** Null where there is no body. */
  body: { contentType: string; format: Format; type: TypeRef; examples: Example[] } | null
  headers: Array<{ wire: string; doc: Doc }>
}

/** The result of an SDK method. */
export interface Result {
  format: 'json' | 'text' | 'binary' | 'none'
  /** Several where the success statuses differ. */
  types: TypeRef[]
  /** Whether a success without a body is possible beside one with it. */
  optional: boolean
}

export interface Pagination {
  style: 'cursor'
  cursorParam: string
  /** The parameter that says how long a page may be. */
  limitParam: string | null
  items: string
  nextCursor: string
  item: TypeRef
  /** What one item is called. */
  itemName: Name
}

export interface Idempotency {
  header: string
  doc: Doc
}

export interface Operation {
  /** `GET /v1/things/{id}`. */
  id: string
  verb: Verb
  path: string
  /** Its turn where some operations are shown as samples. */
  turn: number
  /** The resources that lead to it, outermost first. */
  resource: Name[]
  method: Name
  /** The method to call instead, where this is the old name of it; else null. */
  successor: Pick<Operation, 'resource' | 'method'> | null
  pathParams: Parameter[]
  queryParams: Parameter[]
  headerParams: Parameter[]
  /** The declaration that holds query and header parameters. */
  params: string | null
  body: Body | null
  responses: Response[]
  result: Result
  page: Pagination | null
  idempotency: Idempotency | null
  /** Whether it is safe to retry, regardless of its verb. */
  retryable: boolean
  /** Whether it is less stable than the API. */
  isPreview: boolean
  /** `assumed` holds the marks that no type shows. */
  doc: Doc
  summary: string | null
  /** Its location in the document, as a JSON pointer. */
  pointer: string
}

/** A group of operations and of further groups. */
export interface Resource {
  path: Name[]
  text: string | null
  /** Sorted by path, then by method. */
  operations: Operation[]
  /** Sorted by name. */
  children: Resource[]
}

export interface Webhook {
  event: string
  /** Its turn where some events are shown as samples. */
  turn: number
  name: Name
  contentType: string
  payload: TypeRef
  stability: Stability
  doc: Doc
  examples: Example[]
}

/** How deliveries are signed. */
export interface Signature {
  header: string
  eventHeader: string
  prefix: string
  /** The first is the one to sign with. */
  encodings: string[]
  /** The reason for an assumption; null if they are published. */
  assumed: string | null
}

/** How a request carries the key. */
export interface Credential {
  /** In lower case. */
  header: string
  prefix: string
}

/** An assumption of the document. */
export interface Assumption {
  pointer: string
  reason: string
  /** The types (by id) and methods (as `a.b.create`) that depend on it. */
  shows: string[]
}

export interface Api {
  title: string
  /** That of the document. */
  version: string
  summary: string | null
  description: string | null
  stability: Stability
  platform: Platform
  policy: Policy
  /** The version that starts all paths, like `/v1`; empty if they share none. */
  pathPrefix: string
  /** The public address of the service, without the prefix; null where there is none yet. */
  server: string | null
  credential: Credential | null
  /** Sorted by name. */
  decls: Decl[]
  resources: Resource[]
  /** Sorted by path, then by method. */
  operations: Operation[]
  /** Sorted by event. */
  webhooks: Webhook[]
  signature: Signature | null
  /** Sorted by pointer. */
  assumptions: Assumption[]
  /** The call to show first; null where every call needs something. */
  exampleCall: ExampleCall | null
}

/** A list that comes in pages, or a call that needs nothing. */
export interface ExampleCall {
  /** The id of the operation. */
  operation: string
  /** Whether an item of its pages has a field `id`. */
  itemHasId: boolean
}

/** The names of the platform and its packages. The descriptor of a language adds its own names. */
export interface Platform {
  title: string
  client: string
  envPrefix: string
  mockNpm: string
  /** The address of the source code, for the links of the packages. */
  repository?: string
  published: boolean
}

/** A status or a range of them, both ends included. */
export interface StatusRange {
  from: number
  to: number
}

/** How every SDK behaves. */
export interface Policy {
  timeoutMs: number
  retries: {
    max: number
    retryableMethods: string[]
    retryableStatuses: number[]
    otherStatuses: number[]
    backoff: {
      initialMs: number
      factor: number
      maxMs: number
      jitter: { from: number; to: number }
    }
    serverDelay: { millisecondsHeader: string; header: string; maxMs: number }
  }
  headers: { authorization: string; idempotencyKey: string; requestId: string; userAgent: string }
  errors: {
    classes: Array<StatusRange & { name: string; doc: string }>
    outcomes: Record<'not_sent' | 'rejected' | 'unknown', string>
    unknownStatuses: StatusRange[]
    maxMessageChars: number
    /** Where the reasons of a problem stand in its JSON, and how many a message names. */
    reasons: { member: string; names: string[]; texts: string[]; max: number }
  }
  /** What happens to response data that does not match the contract. */
  mismatches: { strict: boolean; question: string }
  log: {
    /** From nothing to everything. */
    levels: string[]
    /** The default of the client. */
    level: string
    /** The level of each kind of entry. */
    events: Record<'request' | 'response' | 'retry' | 'failure' | 'mismatch', string>
  }
  redaction: { headers: string[]; text: string }
  webhooks: {
    maxBodyBytes: number
    maxNesting: number
    bodyTimeoutMs: number
    /** Code points. A secret of nothing else is blank. */
    blankCharacters: number[]
    /** Seconds; null where times are not compared. */
    tolerance: number | null
    dedupe: { leaseMs: number; keptMs: number }
    /** What the stores send, by database: defaults, statements and scripts. */
    stores: Record<'redis' | 'postgres' | 'sqlite', Record<string, string>>
    /** A hint may hold {header}, {event_header} and {prefix} of the contract's signature. */
    failures: Array<{ code: string; status: number; hint: string }>
    /** The hints of a mismatch whose cause is visible. */
    mismatches: Record<'paddedSecret' | 'byteOrderMark' | 'base64Body', string>
    /** The statuses that a receiver returns. */
    responses: Record<
      'handled' | 'duplicate' | 'inProgress' | 'failed' | 'methodNotAllowed',
      number
    >
  }
}

/** Promises that the conformance suite proves. */
export interface Family {
  name: string
  topics: Array<{
    about: string
    promises: Array<{ name: string; differences: Array<{ language: string; reason: string }> }>
  }>
}

/** Something that the document may say but a language cannot, and where the document says it. */
export interface Refusal {
  /** A JSON pointer into the document. */
  pointer: string
  message: string
  fix: string
}
