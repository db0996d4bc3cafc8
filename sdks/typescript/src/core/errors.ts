// BaseError (generated/names.ts: it bears the platform's name)
// ├── APIError                 the service answered with a status that is no success
// │   └── one class per status that has one (generated/errors.ts)
// ├── APIConnectionError       no whole answer arrived
// │   └── APITimeoutError
// ├── InvalidResponseError     a success that cannot be read
// └── WebhookVerificationError (webhooks/)
import { BaseError } from '../generated/names.js'
import type { Outcome } from '../generated/policy.js'

/** What an `APIError` is made from. */
export interface APIErrorFields {
  status: number
  outcome: Outcome
  code?: string | null
  requestId?: string | null
  retryAfter?: number | null
  headers?: Headers
  body?: unknown
}

/** The service answered with a status that is no success. */
export class APIError extends BaseError {
  readonly status: number
  /** The kind of problem for programs, as the body names it. */
  readonly code: string | null
  /** Identifies the request in the service's logs. Quote it when you ask for help. */
  readonly requestId: string | null
  /** Seconds to wait before the next request, where the service says so. */
  readonly retryAfter: number | null
  // Private, so that printing an error prints neither.
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

  /** The headers of the answer. */
  get headers(): Headers {
    return this.#headers
  }

  /** The body: parsed if it is JSON, else its text. */
  get body(): unknown {
    return this.#body
  }
}

/** No whole answer arrived: the connection failed, or broke before the end of the body. */
export class APIConnectionError extends BaseError {
  override get name(): string {
    return 'APIConnectionError'
  }
}

/** An attempt took longer than its time-out; nobody knows whether it had an effect. */
export class APITimeoutError extends APIConnectionError {
  override get name(): string {
    return 'APITimeoutError'
  }
}

/** The service reported success, but with an answer that cannot be read. */
export class InvalidResponseError extends BaseError {
  /** Identifies the request in the service's logs. */
  readonly requestId: string | null

  constructor(message: string, requestId: string | null) {
    super(message, { outcome: 'unknown' })
    this.requestId = requestId
  }

  override get name(): string {
    return 'InvalidResponseError'
  }
}
