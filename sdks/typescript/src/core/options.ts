import { credential, PATH_PREFIX } from '../generated/contract.js'
import * as names from '../generated/names.js'
import * as policy from '../generated/policy.js'
import type { Logger } from './log.js'
import { isBrowser, readEnv } from './runtime.js'
import type { Trace } from './trace.js'

/** Sends one request. It is called with an absolute URL and must heed `init.signal`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** How a client is set up. */
export interface ClientOptions {
  /**
   * The key that every request carries.
   *
   * @default the environment's, where there is one
   */
  apiKey?: string
  /**
   * Where the API is, without its version prefix. A trailing slash is ignored.
   *
   * @default the environment's, where there is one
   */
  baseURL?: string
  /**
   * Milliseconds that one attempt may take, from connecting to the end of the body.
   *
   * @default 30_000
   */
  timeout?: number
  /**
   * How many times a failed request is repeated, where repeating is safe.
   *
   * @default 2
   */
  maxRetries?: number
  /**
   * Sends the requests, for proxies and tests.
   *
   * @default globalThis.fetch, looked up at each attempt
   */
  fetch?: Fetch
  /** Told of every attempt; `console` will do. Keys and cookies are redacted. */
  logger?: Logger
  /** Called around every attempt, for spans and metrics. */
  trace?: Trace
  /**
   * Whether to run in a browser, where everybody who opens the page can read the key.
   *
   * @default false
   */
  dangerouslyAllowBrowser?: boolean
}

/** What one call may do differently. */
export interface RequestOptions {
  /**
   * Identifies one logical request, equal on every attempt of it.
   *
   * @default a fresh UUID for operations that take one
   */
  idempotencyKey?: string
  /**
   * Milliseconds that one attempt may take, from connecting to the end of the body.
   *
   * @default the client's
   */
  timeout?: number
  /**
   * How many times a failed request is repeated, where repeating is safe.
   *
   * @default the client's
   */
  maxRetries?: number
  /** Cancels the call, its waiting included; it then rejects with the signal's reason. */
  signal?: AbortSignal | null
  /** Sent beside the client's own headers and over them; null takes one away. */
  headers?: Headers | Record<string, string | null | undefined>
}

/** A client's options once they are checked and nothing is left open. */
export interface Settings {
  /** Empty where the API needs none. */
  apiKey: string
  baseURL: string
  timeout: number
  maxRetries: number
  fetch: Fetch
  logger: Logger | undefined
  trace: Trace | undefined
}

/**
 * Checks a client's options and fills in what is left out.
 *
 * @throws BaseError with the outcome `not_sent` for an option that cannot be used.
 */
export function resolveOptions(options: ClientOptions): Settings {
  if (isBrowser() && !options.dangerouslyAllowBrowser) {
    throw new names.BaseError(
      'In a browser everybody can read the key; { dangerouslyAllowBrowser: true } accepts that.',
    )
  }
  const { timeout = policy.TIMEOUT_MS, maxRetries = policy.RETRIES_MAX } = options
  checkLimits({ timeout, maxRetries })
  return {
    apiKey: credential ? checkKey(options.apiKey ?? readEnv(names.ENV_API_KEY)) : '',
    baseURL: checkBaseURL(options.baseURL ?? readEnv(names.ENV_BASE_URL)),
    timeout,
    maxRetries,
    // Looked up late: tests and tracing replace the global after a client was made.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    logger: options.logger,
    trace: options.trace,
  }
}

/** @throws BaseError for a number that no timer can wait or that counts no retries. */
export function checkLimits({ timeout, maxRetries }: Pick<Settings, 'timeout' | 'maxRetries'>) {
  const waits = timeout > 0 && timeout < 2 ** 31
  if (waits && Number.isSafeInteger(maxRetries) && maxRetries >= 0) return
  throw new names.BaseError('timeout must be milliseconds above 0, maxRetries a whole number.')
}

// The messages below never quote what was given: options get mixed up, and it may be the key.

function checkKey(key: string | undefined): string {
  if (key === undefined) {
    throw new names.BaseError(`No API key. Pass { apiKey } or set ${names.ENV_API_KEY}.`)
  }
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new names.BaseError('The API key is empty or has a space or line break.')
}

function checkBaseURL(baseURL: string | undefined): string {
  if (baseURL === undefined) {
    throw new names.BaseError(
      `No base URL. Pass { baseURL } or set ${names.ENV_BASE_URL}. ` +
        `To start a mock of the API: ${names.START_MOCK}`,
    )
  }
  const text = `${baseURL}`.trim()
  // The parser would overlook spaces and a missing host.
  const isWhole = /^https?:\/\/[^/\\\s]\S*$/i.test(text) && URL.canParse(text)
  const url = isWhole ? new URL(text) : null
  if (!url || url.username + url.password + url.search + url.hash) {
    throw new names.BaseError(
      'The base URL must begin with http:// or https:// and have no space, password, query or fragment.',
    )
  }
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  if (PATH_PREFIX && base.endsWith(PATH_PREFIX)) {
    throw new names.BaseError(
      `The paths add ${PATH_PREFIX}. ` + `Use ${base.slice(0, -PATH_PREFIX.length)} without it.`,
    )
  }
  return base
}
