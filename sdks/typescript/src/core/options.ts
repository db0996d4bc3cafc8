import { BASE_URL, credential, PATH_PREFIX } from '../generated/contract.js'
import * as names from '../generated/names.js'
import * as policy from '../generated/policy.js'
import { type HeaderValues, mergeHeaders } from './headers.js'
import { type Logger, type LogLevel, rankOf } from './log.js'
import type { Middleware } from './middleware.js'
import type { MismatchHook } from './mismatch.js'
import { isBrowser, readEnv, userAgent } from './runtime.js'
import type { Trace } from './trace.js'

/** Sends one request to an absolute URL. It must end when `init.signal` aborts. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The options of a client. `undefined` means not given. */
export interface ClientOptions {
  /**
   * The API key, sent with every request.
   *
   * @default the environment variable
   */
  apiKey?: string | undefined
  /**
   * The URL of the API, without the version prefix. A trailing slash is ignored.
   *
   * @default the environment variable
   */
  baseURL?: string | undefined
  /**
   * Milliseconds for one attempt, from connecting to the end of the body. Null sets no limit.
   *
   * @default 30_000
   */
  timeout?: number | null | undefined
  /**
   * How often a failed request is retried, where a retry is safe.
   *
   * @default 2
   */
  maxRetries?: number | undefined
  /** Headers of every request. Null removes one that the client would send. */
  defaultHeaders?: HeaderValues | undefined
  /** Query parameters of every request. Those of a call win. */
  defaultQuery?: Readonly<Record<string, unknown>> | undefined
  /** Functions around every attempt, which may change request and response. The first is the outermost. */
  middleware?: readonly Middleware[] | undefined
  /**
   * Sends the requests. For proxies and tests.
   *
   * @default globalThis.fetch, looked up at each attempt
   */
  fetch?: Fetch | undefined
  /**
   * Receives a line for each step of an attempt, without keys and cookies.
   *
   * @default console
   */
  logger?: Logger | undefined
  /**
   * The least important lines to log.
   *
   * @default the environment variable, else `debug` with a logger of yours and `warn` without one
   */
  logLevel?: LogLevel | undefined
  /** Runs around every attempt, for spans and metrics. */
  trace?: Trace | undefined
  /**
   * Whether a response that does not match the contract fails the call with an `InvalidResponseError`.
   * Otherwise the data stays as it came, with one warning in the log per model and field.
   *
   * @default false
   */
  strict?: boolean | undefined
  /**
   * Receives every field of a response that does not match the contract. Its result and its errors do
   * not change the call.
   */
  onMismatch?: MismatchHook | undefined
  /**
   * Allows a browser, where everybody who opens the page can read the API key.
   *
   * @default false
   */
  dangerouslyAllowBrowser?: boolean | undefined
}

/** The options of one call. They win over those of the client. `undefined` means not given. */
export interface RequestOptions {
  /**
   * Identifies one logical request. Equal on every attempt of the call.
   *
   * @default a new UUID, where the operation takes a key
   */
  idempotencyKey?: string | undefined
  /**
   * Milliseconds for one attempt, from connecting to the end of the body. Null sets no limit.
   *
   * @default the client's
   */
  timeout?: number | null | undefined
  /**
   * How often a failed request is retried, where a retry is safe.
   *
   * @default the client's
   */
  maxRetries?: number | undefined
  /** Ends the call, between attempts too. It then rejects with an `AbortedCallError`. */
  signal?: AbortSignal | null | undefined
  /** Headers to add to the client's. One of the same name replaces the client's, null removes it. */
  headers?: HeaderValues | undefined
  /** Query parameters beside those of the method. Null removes one. */
  query?: Readonly<Record<string, unknown>> | undefined
  /** Members of the body beside those of the method. One of the same name replaces it. */
  extraBody?: Readonly<Record<string, unknown>> | undefined
  /** Functions around every attempt, within those of the client. */
  middleware?: readonly Middleware[] | undefined
  /**
   * Whether a response that does not match the contract fails the call.
   *
   * @default the client's
   */
  strict?: boolean | undefined
  /**
   * Receives every field of the response that does not match the contract.
   *
   * @default the client's
   */
  onMismatch?: MismatchHook | undefined
}

/** The options of a client, checked and complete. */
export interface Settings {
  /** Empty where the API needs none. */
  apiKey: string
  /** The headers of every request, in lower case. Made once, because that is costly. */
  headers: Readonly<Record<string, string>>
  /** Those of them that the caller set. */
  given: HeaderValues | undefined
  query: Readonly<Record<string, unknown>> | undefined
  baseURL: string
  timeout: number | null
  maxRetries: number
  middleware: readonly Middleware[]
  fetch: Fetch
  logger: Logger | undefined
  /** The rank of the least important lines to log. */
  logRank: number
  trace: Trace | undefined
  strict: boolean
  onMismatch: MismatchHook | undefined
  /** The fields that the log has a warning of, shared with the clients made of this one. */
  warned: Set<string>
}

/**
 * Checks the options of a client and fills in the defaults.
 *
 * @throws BaseError with the outcome `not_sent` for an option that cannot be used.
 */
export function resolveOptions(options: ClientOptions): Settings {
  if (isBrowser() && !options.dangerouslyAllowBrowser) {
    throw new names.BaseError(
      'In a browser everybody can read the key; { dangerouslyAllowBrowser: true } accepts that.',
    )
  }
  const { timeout = policy.TIMEOUT_MS, maxRetries = policy.RETRIES_MAX, logger } = options
  checkLimits({ timeout, maxRetries })
  const apiKey = credential ? checkKey(options.apiKey ?? readEnv(names.ENV_API_KEY)) : ''
  return {
    apiKey,
    headers: clientHeaders(apiKey, options.defaultHeaders),
    given: options.defaultHeaders,
    query: options.defaultQuery,
    baseURL: checkBaseURL(options.baseURL ?? readEnv(names.ENV_BASE_URL) ?? BASE_URL),
    timeout,
    maxRetries,
    middleware: options.middleware ?? [],
    // Looked up late: tests and tracing replace the global after a client was made.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    logger,
    logRank: rankOf(
      options.logLevel ?? readEnv(names.ENV_LOG) ?? (logger ? 'debug' : policy.LOG_LEVEL),
    ),
    trace: options.trace,
    strict: options.strict ?? policy.MISMATCHES_STRICT,
    onMismatch: options.onMismatch,
    warned: new Set(),
  }
}

function clientHeaders(apiKey: string, given: HeaderValues | undefined): Record<string, string> {
  const agent = userAgent()
  const own = {
    accept: 'application/json, application/problem+json',
    ...(agent && { [policy.HEADERS_USER_AGENT]: agent }),
    ...(credential && { [credential.header]: credential.prefix + apiKey }),
  }
  return mergeHeaders(own, given)
}

/** The objects as one. Later values win, except undefined. */
export function merge<T extends object>(...objects: readonly (T | undefined)[]): T {
  // Without a prototype, so that no name has a meaning.
  const merged = Object.create(null)
  for (const object of objects) {
    for (const [name, value] of Object.entries(object ?? {})) {
      if (value !== undefined) merged[name] = value
    }
  }
  return merged
}

/** @throws BaseError for a timeout that no timer can wait, or a fraction of a retry. */
export function checkLimits({ timeout, maxRetries }: Pick<Settings, 'timeout' | 'maxRetries'>) {
  if (timeout !== null && !(timeout > 0 && timeout < 2 ** 31)) {
    throw new names.BaseError(
      'timeout must be null or a number of milliseconds above 0 and below 2**31.',
    )
  }
  checkCount('maxRetries', maxRetries)
}

/** @throws BaseError for a fraction or a negative number. */
export function checkCount(option: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return
  throw new names.BaseError(`${option} must be a whole number, 0 or more.`)
}

/** The characters of a key. */
export const VISIBLE_ASCII = /^[\x21-\x7e]+$/

// The messages below never quote the value: options get mixed up, and it may be the key.

function checkKey(key: string | undefined): string {
  if (key === undefined) {
    throw new names.BaseError(`No API key. Pass { apiKey } or set ${names.ENV_API_KEY}.`)
  }
  if (VISIBLE_ASCII.test(key)) return key
  throw new names.BaseError(
    'The API key is empty, or contains white space or other invalid characters.',
  )
}

function checkBaseURL(baseURL: string | undefined): string {
  if (baseURL === undefined) {
    throw new names.BaseError(
      `No base URL. Pass { baseURL } or set ${names.ENV_BASE_URL}. ` +
        `To start a mock of the API: ${names.START_MOCK}`,
    )
  }
  const text = `${baseURL}`.trim()
  // The parser overlooks white space, a missing host, and credentials, a query or a fragment that are empty.
  if (!/^https?:\/\/[^/\\\s?#@]+(\/[^\\\s?#]*)?$/i.test(text) || !URL.canParse(text)) {
    throw new names.BaseError(
      'The base URL must be an http:// or https:// URL without white space, credentials, query or fragment.',
    )
  }
  const url = new URL(text)
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  if (PATH_PREFIX && base.endsWith(PATH_PREFIX)) {
    throw new names.BaseError(
      `The paths add ${PATH_PREFIX} to the base URL. Use ${base.slice(0, -PATH_PREFIX.length)} without it.`,
    )
  }
  return base
}
