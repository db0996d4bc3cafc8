import { errorClass } from '../generated/errors.js'
import * as policy from '../generated/policy.js'
import { type APIError, InvalidResponseError } from './errors.js'
import { describe, withoutKey } from './message.js'
import type { Operation } from './operation.js'
import type { Settings } from './options.js'
import type { BufferedResponse } from './response.js'
import { serverDelay } from './retry.js'

/**
 * Reads a response.
 *
 * @throws APIError for a status other than 2xx.
 * @throws InvalidResponseError for a 2xx response that cannot be read.
 */
export function decode(
  response: BufferedResponse,
  operation: Operation,
  settings: Settings,
): unknown {
  if (!response.ok) throw errorOf(response, settings)
  if (response.method === 'HEAD' || response.status === 204) return undefined
  if (operation.read) return operation.read(response)
  const json = parse(response.text(), operation.parse)
  if (json) return json.value
  throw invalid('the body is not valid JSON', response, settings)
}

/** The error for a 2xx response that cannot be used. */
export function invalid(
  what: string,
  response: BufferedResponse,
  settings: Settings,
): InvalidResponseError {
  const message = describe(`${response.status}: ${what}`, response, settings)
  return new InvalidResponseError(message, response.requestId)
}

function errorOf(response: BufferedResponse, settings: Settings): APIError {
  const { status, headers, method, url } = response
  const body = parsedBody(response)
  const requestId = response.requestId ?? pick(body, 'request_id')
  const code = pick(body, 'code')
  const detail = status >= 300 && status < 400 ? redirect(response) : explanation(body, settings)
  const message = status + (code ? ` ${code}` : '') + (detail && `: ${detail}`)
  const delay = serverDelay(headers)
  const Type = errorClass(status)
  return new Type(describe(message, { method, url, requestId }, settings), {
    status,
    outcome: outcomeOf(status),
    code,
    requestId,
    retryAfter: delay === null ? null : delay / 1_000,
    headers,
    body,
  })
}

/** The body of a response that is not 2xx: parsed if it is JSON, else its text. */
export function parsedBody(response: BufferedResponse): unknown {
  const text = response.text()
  const json = parse(text)
  return json ? json.value : text
}

/** Whether a request that failed with this status may have had an effect. */
export function outcomeOf(status: number): policy.Outcome {
  const isUnknown = policy.ERRORS_UNKNOWN_STATUSES.some(
    ([from, to]) => status >= from && status <= to,
  )
  return isUnknown ? 'unknown' : 'rejected'
}

/** Says where a redirect leads without its path and query, which may hold a secret. */
function redirect({ headers, url }: BufferedResponse): string {
  const location = headers.get('location')
  const origin = location && URL.canParse(location, url) ? new URL(location, url).origin : 'null'
  return `redirect to ${origin === 'null' ? 'nowhere' : origin}, not followed`
}

/** The sentence of an error body that describes the fault. */
function explanation(body: unknown, settings: Settings): string {
  if (typeof body === 'string') {
    const max = policy.ERRORS_MAX_MESSAGE_CHARS
    // Cuts between characters: none is longer than two units.
    return [...withoutKey(body.trim(), settings).slice(0, 2 * max)].slice(0, max).join('')
  }
  return pick(body, 'detail') ?? pick(body, 'message') ?? pick(body, 'title') ?? ''
}

/** A string of a problem, or of one that is wrapped as `error`. */
function pick(body: unknown, field: string): string | null {
  const values = [member(body, field), member(member(body, 'error'), field)]
  return (values.find((value) => value && typeof value === 'string') as string) ?? null
}

function member(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name]
}

function parse(
  text: string,
  read: (text: string) => unknown = JSON.parse,
): { value: unknown } | null {
  try {
    return { value: read(text) }
  } catch {
    return null
  }
}
