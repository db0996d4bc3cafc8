// Turns the input of a call into a request. Resource methods, `request`, `list`, `raw` and `fetch`
// differ in their input and their result. Headers, key and options are merged here for all of them.
import { operations } from '../generated/contract.js'
import { BaseError } from '../generated/names.js'
import * as policy from '../generated/policy.js'
import { asNothing, isPlain } from './body.js'
import { type HeaderValues, mergeHeaders } from './headers.js'
import type { BodyCodec, EncodedBody, Operation } from './operation.js'
import { merge, type RequestOptions, type Settings, VISIBLE_ASCII } from './options.js'
import { fillPath } from './path.js'
import { writeQuery } from './query.js'

/** The input of a request. */
export interface RequestInput {
  /** Values for the placeholders of the path. */
  path?: Readonly<Record<string, unknown>> | undefined
  /** The parameters of the query. Those that are null or undefined are left out. */
  query?: object | undefined
  /** Headers that the operation itself has. */
  headers?: Readonly<Record<string, string | null | undefined>> | undefined
  /** A value for JSON or a form, else the bytes of the operation's content type. */
  body?: unknown
}

/** One use of an SDK method. */
export interface Call {
  method: string
  /** The path with its placeholders. */
  path: string
  operation: Operation
  options: RequestOptions
}

/** Looks the operation up, unless it is given. */
export function callOf(
  method: string,
  path: string,
  options: RequestOptions,
  operation: Operation = operations[`${method} ${path}`] ?? {},
): Call {
  return { method, path, options, operation }
}

/** A request that `fetch` can be given any number of times. */
export interface PreparedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: EncodedBody | undefined
  init?: FetchInit
}

const FETCH_INIT = [
  'cache',
  'credentials',
  'integrity',
  'keepalive',
  'mode',
  'referrer',
  'referrerPolicy',
] as const

/** Settings of a request that `fetch` alone uses: those that the types of the project have. */
export type FetchInit = Pick<RequestInit, Extract<(typeof FETCH_INIT)[number], keyof RequestInit>>

const JSON_BODY: BodyCodec = { contentType: 'application/json', encode: JSON.stringify }

const ANY_TYPE = { accept: '*/*' }

/**
 * Writes a request.
 *
 * @throws BaseError with the outcome `not_sent` for input that cannot be written.
 */
export function prepare(call: Call, input: RequestInput, settings: Settings): PreparedRequest {
  const { method, path, operation, options } = call
  if (!path.startsWith('/')) throw new BaseError('A path must begin with "/".')
  const { contentType, encode } = operation.body ?? JSON_BODY
  const given = bodyWith(options.extraBody, method, input.body)
  try {
    const isMerged = settings.query || options.query
    const params = isMerged ? merge(settings.query, input.query, options.query) : input.query
    const query = params ? (operation.writeQuery ?? writeQuery)(params) : ''
    const url = settings.baseURL + fillPath(path, input.path ?? {}) + (query && `?${query}`)
    const body = given === undefined ? undefined : encode(given)
    const hasType = body !== undefined && !(body instanceof FormData)
    const type = hasType ? { 'content-type': contentType } : undefined
    return { url, method, headers: headersOf(call, settings, type, input.headers), body }
  } catch (error) {
    if (error instanceof BaseError) throw error
    // Not as its cause: it may quote a header, which may hold a secret.
    throw new BaseError(`${method} ${path}: the query, a header or the body cannot be serialized.`)
  }
}

/** Picks the settings for `fetch`. They are undefined in runtimes that do not have them. */
export function fetchInit(source: FetchInit): FetchInit {
  return Object.fromEntries(FETCH_INIT.map((name) => [name, source[name]]))
}

/**
 * Prepares a request that is already written.
 *
 * @throws BaseError with the outcome `not_sent` for a URL outside of the base URL.
 */
export async function adopt(
  call: Call,
  request: Request,
  settings: Settings,
): Promise<PreparedRequest> {
  const { method } = request
  let { url } = request
  if (!url.startsWith(`${settings.baseURL}/`)) {
    throw new BaseError(
      'The URL must begin with the base URL. Only the service may receive the key.',
    )
  }
  const { searchParams } = new URL(url)
  const added = Object.entries(merge(settings.query, call.options.query)).filter(
    ([name]) => !searchParams.has(name),
  )
  const query = writeQuery(Object.fromEntries(added))
  if (query) url += (url.includes('?') ? '&' : '?') + query
  const headers = headersOf(call, settings, request.headers)
  return { url, method, headers, body: await bodyOf(request), init: fetchInit(request) }
}

/** The bytes of a request. Undefined if there are none. */
export async function bodyOf(request: Request): Promise<ArrayBuffer | undefined> {
  const bytes = await request.arrayBuffer()
  return bytes.byteLength ? bytes : undefined
}

/**
 * A body with further members.
 *
 * @throws BaseError with the outcome `not_sent` where there can be none.
 */
export function bodyWith(
  extra: RequestOptions['extraBody'],
  method: string,
  body: unknown,
): unknown {
  if ((extra ?? body) !== undefined && /^(GET|HEAD)$/.test(method)) {
    throw new BaseError(`A ${method} request has no body. Use the option query instead.`)
  }
  if (!extra) return body
  if (body === undefined || isPlain(body)) return { ...body, ...extra }
  throw new BaseError('extraBody needs a body that is an object.')
}

/** The client's headers, overridden by those of a call. */
function headersOf(
  { operation, options }: Call,
  settings: Settings,
  ...given: (HeaderValues | undefined)[]
): Record<string, string> {
  const { read } = operation
  const isOther = read && read !== asNothing
  const own = isOther ? mergeHeaders(settings.headers, ANY_TYPE, settings.given) : settings.headers
  return mergeHeaders(own, idempotencyKey(operation, options), ...given, options.headers)
}

/** The header that identifies one logical request, made once and sent with every attempt. */
function idempotencyKey(
  { idempotencyHeader }: Operation,
  options: RequestOptions,
): Record<string, string> | undefined {
  const key = options.idempotencyKey ?? (idempotencyHeader && crypto.randomUUID())
  if (key === undefined) return undefined
  if (VISIBLE_ASCII.test(key)) return { [idempotencyHeader ?? policy.HEADERS_IDEMPOTENCY_KEY]: key }
  throw new BaseError('The idempotency key must be visible ASCII.')
}
