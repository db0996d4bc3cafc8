import { stringifyExact } from '../core/json.js'
import { merge, type Overrides } from '../fixtures/merge.js'
import type { ErrorBody } from '../generated/contract.js'
import { BaseError } from '../generated/names.js'
import {
  HEADERS_REQUEST_ID,
  RETRIES_SERVER_DELAY_HEADER,
  RETRIES_SERVER_DELAY_MILLISECONDS_HEADER,
} from '../generated/policy.js'
import { isItem } from './mock.js'

/** What an error response has beside the contract's example. */
export interface FailureOptions {
  /** Seconds until the client may try again, 0 or more. A client waits for fractions of a second too. */
  retryAfter?: number | undefined
  /** Parts of the body, which replace those of the contract's example. */
  body?: Overrides<ErrorBody> | undefined
  headers?: Record<string, string> | undefined
}

/** Makes an error response that the contract declares. Throws for a negative `retryAfter`. */
export type Failure = (options?: FailureOptions) => Response

/** @param json The body. */
export function failure(status: number, contentType: string | null, json: string | null): Failure {
  return ({ retryAfter, body, headers } = {}) => {
    const content = json === null ? undefined : merge(JSON.parse(json), body)
    const delay = retryAfter === undefined ? {} : delayHeaders(retryAfter)
    return answer(status, contentType, content, { ...requestId(content), ...delay, ...headers })
  }
}

/** A response. Without a content type it has no body. */
export function answer(
  status: number,
  contentType: string | null,
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (contentType === null || content === undefined) return new Response(null, { status, headers })
  const isJson = /[/+]json\b/i.test(contentType)
  const body = isJson ? stringifyExact(content) : (content as BodyInit)
  return new Response(body, { status, headers: { 'content-type': contentType, ...headers } })
}

/** `Retry-After` has whole seconds. */
function delayHeaders(seconds: number): Record<string, string> {
  if (!(seconds >= 0)) throw new BaseError('`retryAfter` must be 0 seconds or more.')
  const whole = { [RETRIES_SERVER_DELAY_HEADER]: `${Math.ceil(seconds)}` }
  if (Number.isInteger(seconds)) return whole
  return { ...whole, [RETRIES_SERVER_DELAY_MILLISECONDS_HEADER]: `${Math.round(seconds * 1000)}` }
}

/** The header that repeats the body's request ID. */
function requestId(body: unknown): Record<string, string> {
  const id = isItem(body) ? (body.request_id ?? body.requestId) : undefined
  return typeof id === 'string' ? { [HEADERS_REQUEST_ID]: id } : {}
}
