// The seam to openapi-fetch (query.ts borrows its writer of queries). It turns a method, a path and
// parameters into a request; everything after that (attempts, time-outs, reading) happens in the
// fetch it is given, because its middleware sees a call once and cannot send it again.
import createClient from 'openapi-fetch'
import { credential, operations } from '../generated/contract.js'
import { BaseError } from '../generated/names.js'
import * as policy from '../generated/policy.js'
import { asNothing } from './body.js'
import { decode, invalid } from './decode.js'
import type { InvalidResponseError } from './errors.js'
import { pathOf } from './message.js'
import type { Operation } from './operation.js'
import type { RequestOptions, Settings } from './options.js'
import { fillPath } from './path.js'
import type { Result } from './promise.js'
import { FORM } from './query.js'
import type { RawClient } from './raw.js'
import type { Reply } from './reply.js'
import { userAgent } from './runtime.js'
import { type Call, type Draft, send } from './send.js'

/** What a request is made from. */
export interface RequestInput {
  /** Values for the placeholders of the path. */
  path?: Readonly<Record<string, unknown>>
  /** The parameters of the query; null and undefined are left out. */
  query?: object
  /** Headers that the operation itself has. */
  headers?: Readonly<Record<string, string | null | undefined>>
  /** What the operation's content type asks for: a value for JSON or a form, else its bytes. */
  body?: unknown
}

/** A call as it is handed down from a resource. */
export interface Outgoing extends Call {
  method: string
  input: RequestInput
}

/** Keeps an answer as it came; openapi-fetch reads it. */
const BYTES: Operation = { read: (reply) => reply }

const JSON_TYPES = 'application/json, application/problem+json'

/** Stands in for `Request` inside openapi-fetch: no stream, nothing to clone, a third of the cost. */
class PlainRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: Draft['body']

  constructor(url: string, init: Omit<PlainRequest, 'url'>) {
    this.url = url
    this.method = init.method
    this.headers = init.headers
    this.body = init.body
  }
}

/** What openapi-fetch is once it makes `PlainRequest`s and is answered by `Reply`s. */
interface Sender {
  request(
    method: string,
    path: string,
    init: Record<string, unknown> & { fetch: (request: PlainRequest) => Promise<Reply> },
  ): Promise<{ response: Reply }>
}

/** Sends the calls of one client. */
export class Transport {
  readonly #settings: Settings
  readonly #headers: Record<string, string>
  readonly #sender: Sender

  constructor(settings: Settings) {
    this.#settings = settings
    this.#headers = clientHeaders(settings)
    // Its types know only Request and Response; `Sender` is what this use of it comes to.
    this.#sender = createClient({
      ...writers(settings),
      Request: PlainRequest as unknown as typeof Request,
    }) as unknown as Sender
  }

  /**
   * Sends a call and reads its answer.
   *
   * @throws what `send` and `decode` throw; BaseError for a request that cannot be built.
   */
  async fetch<T>(outgoing: Outgoing): Promise<Result<T>> {
    const { method, path, input, options, operation } = outgoing
    if (!path.startsWith('/')) throw new BaseError('A path begins with "/".')
    let built = false
    const given: Record<string, unknown> = {
      ...(operation.body && { 'content-type': operation.body.contentType }),
      ...input.headers,
      ...(options.headers instanceof Headers
        ? Object.fromEntries(options.headers)
        : options.headers),
    }
    const own: Record<string, string> = {
      ...this.#headers,
      ...(operation.read && operation.read !== asNothing && { accept: '*/*' }),
      ...idempotency(operation, options),
    }
    const init = {
      params: { path: input.path ?? {}, query: input.query },
      body: input.body,
      headers: given,
      parseAs: 'stream',
      bodySerializer: operation.body?.encode,
      querySerializer: operation.writeQuery,
      fetch: ({ url, method, headers, body }: PlainRequest) => {
        built = true
        for (const name in given) {
          checkValue(given[name])
          delete own[name.toLowerCase()] // null takes one away
        }
        headers.forEach((value, name) => {
          own[name] = value
        })
        return send({ url, method, headers: own, body }, outgoing, this.#settings)
      },
    }
    try {
      const { response: reply } = await this.#sender.request(method, path, init)
      return { reply, data: decode(reply, operation, this.#settings) as T }
    } catch (error) {
      if (built || error instanceof BaseError) throw error
      // Not as its cause: it may quote a header, which may hold a secret.
      throw new BaseError(`${method} ${path}: query, headers or body cannot be written.`)
    }
  }

  /** An error for a success that the caller cannot use. */
  invalid(what: string, reply: Reply): InvalidResponseError {
    return invalid(what, reply, this.#settings)
  }

  /** openapi-fetch itself, typed by the contract's paths, over the same attempts and time-outs. */
  raw<Paths extends object>(): RawClient<Paths> {
    const calls = new WeakMap<Request, Call>()
    const raw = createClient({
      ...writers(this.#settings),
      headers: this.#headers,
      fetch: async (request) => {
        const { url, method, headers } = request
        const bytes = await request.arrayBuffer()
        const body = bytes.byteLength ? bytes : undefined
        // Somebody's middleware may have put another request in place of the one that was noted.
        const call = calls.get(request) ?? {
          path: pathOf(url, this.#settings),
          operation: BYTES,
          options: {},
        }
        return (await send({ url, method, headers, body }, call, this.#settings)).toResponse()
      },
    })
    raw.use({
      onRequest({ request, schemaPath }) {
        const operation = { ...operations[`${request.method} ${schemaPath}`], ...BYTES }
        // openapi-fetch leaves the members of a call that it does not know on the request.
        const options: RequestOptions & Request = request
        for (const [name, value] of Object.entries(idempotency(operation, options))) {
          if (!request.headers.has(name)) request.headers.set(name, value)
        }
        calls.set(request, { path: schemaPath, operation, options })
      },
    })
    return raw as unknown as RawClient<Paths>
  }
}

/** What both uses of openapi-fetch share. */
function writers({ baseURL }: Settings) {
  return { baseUrl: baseURL, pathSerializer: fillPath, querySerializer: FORM }
}

/** Refuses what `Headers` would shorten, or send in an encoding that the other side must guess. */
function checkValue(value: unknown): void {
  if (/^[\t\x20-\x7e]*$/.test(String(value ?? ''))) return
  throw new BaseError('A header has a line break, or characters beyond ASCII.')
}

/** The headers of every call; made once, as merging `Headers` costs more than the rest of a call. */
function clientHeaders({ apiKey }: Settings): Record<string, string> {
  const agent = userAgent()
  return {
    accept: JSON_TYPES,
    ...(agent && { [policy.HEADERS_USER_AGENT]: agent }),
    ...(credential && { [credential.header]: credential.prefix + apiKey }),
  }
}

/** The header that names this logical request, made once and sent with every attempt. */
function idempotency(
  { idempotencyHeader: header }: Operation,
  { idempotencyKey }: RequestOptions,
): Record<string, string> {
  const key = idempotencyKey ?? (header && crypto.randomUUID())
  if (key === undefined) return {}
  if (!/^[\x21-\x7e]+$/.test(key)) throw new BaseError('idempotencyKey must be visible ASCII.')
  return { [(header ?? policy.HEADERS_IDEMPOTENCY_KEY).toLowerCase()]: key }
}
