// BaseError (generated/names.ts: it bears the platform's name)
// ├── APIError                 the service returned a status other than 2xx
// │   └── one class per status that has one (generated/errors.ts)
// ├── APIConnectionError       no whole response arrived
// │   └── APITimeoutError
// ├── AbortedCallError         the caller ended the call
// ├── InvalidResponseError     a 2xx response that cannot be read
// └── WebhookVerificationError (webhooks/)
import type { ErrorBody } from '../generated/contract.js'
import { BaseError } from '../generated/names.js'
import type { Outcome } from '../generated/policy.js'

/** The fields of a new `APIError`. */
export interface APIErrorFields {
  status: number
  outcome: Outcome
  code?: string | null
  requestId?: string | null
  retryAfter?: number | null
  headers?: Headers
  body?: unknown
}

/** The service returned a status other than 2xx. */
export class APIError extends BaseError {
  declare readonly outcome: Outcome
  readonly status: number
  /** The machine-readable kind of problem, from the body. */
  readonly code: string | null
  /** Identifies the request in the service's logs. Quote it when you ask for help. */
  readonly requestId: string | null
  /** Seconds to wait before the next request, where the service names them. */
  readonly retryAfter: number | null
  // Private, so that a printed error holds neither.
  readonly #headers: Headers
  readonly #body: unknown

  constructor(message: string, fields: APIErrorFields) {
    super(message, { outcome: fields.outcome })
    this.status = fields.status
    this.code = fields.code ?? null
    this.requestId = fields.requestId ?? null
    this.retryAfter = fields.retryAfter ?? null
    this.#headers = fields.headers ?? new Headers()
    this.#body = fields.body
  }

  override get name(): string {
    return 'APIError'
  }

  /** The headers of the response. */
  get headers(): Headers {
    return this.#headers
  }

  /** The body of the response: parsed if it is JSON, else its text. */
  get body(): unknown {
    return this.#body
  }

  /** The problem that the service describes. Null where the body is not a JSON object. */
  get problem(): ErrorBody | null {
    return isObject(this.#body) ? (this.#body as ErrorBody) : null
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** No whole response arrived: the connection failed, or broke before the end of the body. */
export class APIConnectionError extends BaseError {
  declare readonly outcome: Outcome
  override get name(): string {
    return 'APIConnectionError'
  }
}

/** An attempt took longer than its timeout, or connecting took longer than the runtime allows. */
export class APITimeoutError extends APIConnectionError {
  override get name(): string {
    return 'APITimeoutError'
  }
}

/** The facts about a call that its caller ended. */
export interface AbortedCall {
  /** The reason of the signal. */
  cause: unknown
  method: string
  path: string
  /** How many attempts were begun. */
  attempts: number
  outcome: Outcome
}

/**
 * The caller ended the call through its signal. `name` is that of the signal's reason: `AbortError`,
 * `TimeoutError`, or the name of an error of yours. `cause` is the reason itself.
 */
export class AbortedCallError extends BaseError {
  declare readonly outcome: Outcome
  /** The code of every abort in Node.js. */
  readonly code = 'ABORT_ERR'
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** How many attempts were begun. With 0, nothing was sent. */
  readonly attempts: number

  constructor(message: string, call: AbortedCall) {
    super(message, call)
    this.method = call.method
    this.path = call.path
    this.attempts = call.attempts
  }

  override get name(): string {
    return this.cause instanceof Error ? this.cause.name : 'AbortError'
  }
}

/** The fields of a new `InvalidResponseError`. */
export interface InvalidResponse {
  status: number
  headers: Headers
  requestId: string | null
  body: string | null
}

/** The service returned a 2xx response that cannot be read, or that does not match the contract. */
export class InvalidResponseError extends BaseError {
  declare readonly outcome: Outcome
  readonly status: number
  /** Identifies the request in the service's logs. */
  readonly requestId: string | null
  // Private, so that a printed error holds neither.
  readonly #headers: Headers
  readonly #body: string | null

  constructor(message: string, response: InvalidResponse) {
    super(message, { outcome: 'unknown' })
    this.status = response.status
    this.requestId = response.requestId
    this.#headers = response.headers
    this.#body = response.body
  }

  override get name(): string {
    return 'InvalidResponseError'
  }

  /** The headers of the response. */
  get headers(): Headers {
    return this.#headers
  }

  /** The text of the response. Null where it could not be decompressed. */
  get body(): string | null {
    return this.#body
  }
}
