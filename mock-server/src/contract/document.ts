/** Reads an OpenAPI document: the facts that the sandbox and its tools need beside Prism's operations. */

export type Json = Record<string, unknown>

/** A JSON Schema as it stands in the document. */
export type Schema = Json

/** A body with its media type. */
export interface Content {
  mediaType: string
  schema: Schema | undefined
  /** The values of its examples, the first one first. */
  examples: unknown[]
}

export interface Header {
  name: string
  isRequired: boolean
  schema: Schema | undefined
  example: unknown
  /** The former name. */
  before: string | undefined
}

export interface DeclaredResponse {
  /** A status, a range such as `4XX`, or `default`. */
  code: string
  contents: Content[]
  headers: Header[]
}

export interface Parameter {
  name: string
  in: string
  schema: Schema
  example: unknown
  /** The former name. */
  before: string | undefined
}

/** How the lists of an operation are paged. */
export interface Pagination {
  cursor_param: string
  limit_param?: string
  items: string
  next_cursor: string
}

export interface Described {
  method: string
  /** The path template without a base path. */
  path: string
  id: string | undefined
  /** The former `METHOD /path`. */
  before: string | undefined
  parameters: Parameter[]
  body: Content | undefined
  responses: DeclaredResponse[]
  pagination: Pagination | undefined
  /** The header that carries the idempotency key, in lower case. */
  idempotencyHeader: string | undefined
}

export interface DescribedEvent {
  kind: string
  /** The former kind. */
  before: string | undefined
  summary: string
  content: Content
}

/** How deliveries are signed. */
export interface Signature {
  header: string
  event_header: string
  prefix: string
  encodings: { values: string[] }
}

/** The header by its first name. */
const REQUEST_ID = 'x-request-id'
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** The facts of a document. They are read on first use. */
export class Description {
  readonly document: Json
  #operations: Described[] | undefined
  #events: DescribedEvent[] | undefined

  /** @param document OpenAPI 3.1, with references into itself only */
  constructor(document: Json) {
    this.document = document
  }

  get title(): string {
    return String(object(this.document.info).title ?? '')
  }

  get version(): string {
    return String(object(this.document.info).version ?? '')
  }

  /** The header that identifies a request, in lower case. */
  get requestIdHeader(): string {
    const headers = this.operations.flatMap(({ responses }) =>
      responses.flatMap((response) => response.headers),
    )
    return headers.find(({ before }) => before === REQUEST_ID)?.name ?? REQUEST_ID
  }

  /** Undefined if the document does not say. */
  get signature(): Signature | undefined {
    return this.document['x-webhook-signature'] as Signature | undefined
  }

  get operations(): readonly Described[] {
    this.#operations ??= Object.entries(object(this.document.paths)).flatMap(([path, item]) =>
      this.#operationsOf(path, this.resolve(item)),
    )
    return this.#operations
  }

  /** The events, in the document's order. */
  get events(): readonly DescribedEvent[] {
    this.#events ??= Object.entries(object(this.document.webhooks)).flatMap(([kind, item]) => {
      const hook = this.resolve(item)
      const { post } = hook
      if (!post) return []
      const operation = this.resolve(post)
      const [content] = this.#contentsOf(this.resolve(operation.requestBody))
      const before = text(operation['x-renamed-from']) ?? text(hook['x-renamed-from'])
      const summary = String(operation.summary ?? operation.description ?? '')
      return content ? [{ kind, before, summary, content }] : []
    })
    return this.#events
  }

  get kinds(): readonly string[] {
    return this.events.map(({ kind }) => kind)
  }

  /** Follows references into this document. */
  resolve(node: unknown): Json {
    const { $ref } = object(node)
    if (typeof $ref !== 'string') return object(node)
    const steps = decodeURIComponent($ref.replace(/^#\/?/, '')).split('/')
    const target = steps.reduce<unknown>(
      (at, step) => object(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.document,
    )
    return this.resolve(target)
  }

  #operationsOf(path: string, item: Json): Described[] {
    return METHODS.filter((method) => item[method]).map((method) => {
      const operation = this.resolve(item[method])
      const named = [...list(item.parameters), ...list(operation.parameters)].map((parameter) =>
        this.#parameterOf(this.resolve(parameter)),
      )
      const { header } = object(operation['x-idempotency'])
      return {
        method: method.toUpperCase(),
        path,
        id: text(operation.operationId),
        before: text(operation['x-renamed-from']),
        parameters: named,
        body: this.#contentsOf(this.resolve(operation.requestBody))[0],
        responses: Object.entries(object(operation.responses)).map(([code, node]) => {
          const response = this.resolve(node)
          return { code, contents: this.#contentsOf(response), headers: this.#headersOf(response) }
        }),
        pagination: operation['x-pagination'] as Pagination | undefined,
        idempotencyHeader: text(header)?.toLowerCase(),
      }
    })
  }

  #parameterOf(parameter: Json): Parameter {
    return {
      name: String(parameter.name),
      in: String(parameter.in),
      schema: this.resolve(parameter.schema),
      example: this.#exampleOf(parameter),
      before: text(parameter['x-renamed-from']),
    }
  }

  #headersOf(response: Json): Header[] {
    return Object.entries(object(response.headers)).map(([name, node]) => {
      const header = this.resolve(node)
      return {
        name: name.toLowerCase(),
        isRequired: header.required === true,
        schema: header.schema as Schema | undefined,
        example: this.#exampleOf(header),
        before: text(header['x-renamed-from'])?.toLowerCase(),
      }
    })
  }

  #exampleOf({ example, examples }: Json): unknown {
    return example ?? Object.values(object(examples)).map((one) => this.resolve(one).value)[0]
  }

  #contentsOf({ content }: Json): Content[] {
    return Object.entries(object(content)).map(([mediaType, node]) => {
      const media = object(node)
      const named = Object.values(object(media.examples)).map((one) => this.resolve(one).value)
      const examples = media.example === undefined ? named : [media.example, ...named]
      return { mediaType, schema: media.schema as Schema | undefined, examples }
    })
  }
}

/** The response of an operation for a status: declared by itself, by its range, or by `default`. */
export function declaredFor(
  { responses }: Described,
  status: number,
): DeclaredResponse | undefined {
  const names = [String(status), `${String(status)[0]}XX`, 'default']
  return names
    .map((name) => responses.find(({ code }) => code.toUpperCase() === name.toUpperCase()))
    .find((found) => found !== undefined)
}

/** A node as an object; an empty one for anything else. */
export function object(node: unknown): Json {
  return typeof node === 'object' && node !== null && !Array.isArray(node) ? (node as Json) : {}
}

function list(node: unknown): unknown[] {
  return Array.isArray(node) ? node : []
}

function text(node: unknown): string | undefined {
  return typeof node === 'string' ? node : undefined
}
