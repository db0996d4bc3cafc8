import { errorClass } from '../generated/errors.js'
import * as policy from '../generated/policy.js'
import { type APIError, InvalidResponseError } from './errors.js'
import { describe, withoutKey } from './message.js'
import { tellMismatches } from './mismatch.js'
import type { Operation } from './operation.js'
import type { Settings } from './options.js'
import type { Call } from './request.js'
import { remember } from './request-ids.js'
import type { BufferedResponse } from './response.js'
import { serverDelay } from './retry.js'

/**
 * Reads a response.
 *
 * @throws APIError for a status other than 2xx.
 * @throws InvalidResponseError for a 2xx response that cannot be read, or that does not match the
 *   contract of a strict client.
 */
export function decode(response: BufferedResponse, call: Call, settings: Settings): unknown {
  const { operation } = call
  if (!response.ok) throw errorOf(response, operation, settings)
  if (response.method === 'HEAD' || response.status === 204) return undefined
  if (operation.read) return operation.read(response)
  const json = parse(response.text(), operation.parse)
  if (json) {
    remember(json.value, response)
    if (tellMismatches(json.value, call, response, settings)) return json.value
  }
  const expected = json ? 'JSON of the expected type' : 'valid JSON'
  throw invalid(`${response.status}: the body is not ${expected}`, response, settings)
}

/** The error for a 2xx response that cannot be used. */
export function invalid(
  what: string,
  response: BufferedResponse,
  settings: Settings,
  body: string | null = response.text(),
): InvalidResponseError {
  const { status, headers, requestId } = response
  const message = describe(what, response, settings)
  return new InvalidResponseError(message, { status, headers, requestId, body })
}

function errorOf(response: BufferedResponse, operation: Operation, settings: Settings): APIError {
  const { status, headers, method, url } = response
  const body = parsedBody(response, operation)
  const requestId = response.requestId ?? firstText(body, ['request_id'])
  const code = firstText(body, ['code'])
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
export function parsedBody(response: BufferedResponse, operation: Operation): unknown {
  const text = response.text()
  const json = parse(text, operation.parse)
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

/** The sentence of an error body that describes the fault: its reasons, else what it says in general. */
function explanation(body: unknown, settings: Settings): string {
  if (typeof body === 'string') return excerpt(body.trim(), settings)
  const reasons = reasonsIn(body)
  const shown = reasons.slice(0, policy.ERRORS_REASONS_MAX)
  const more = reasons.length - shown.length
  if (more > 0) shown.push(`and ${more} more`)
  const text = excerpt(shown.join('; '), settings)
  return text || firstText(body, ['detail', 'message', 'title']) || ''
}

/** The beginning of a text, without the key. */
function excerpt(text: string, settings: Settings): string {
  const max = policy.ERRORS_MAX_MESSAGE_CHARS
  // Cuts between characters: none is longer than two units.
  return [...withoutKey(text, settings).slice(0, 2 * max)].slice(0, max).join('')
}

/** The reasons of a problem, each after the name of what is wrong. */
function reasonsIn(body: unknown): string[] {
  const list = members(body, policy.ERRORS_REASONS_MEMBER).find(Array.isArray) ?? []
  return list.flatMap((reason: unknown) => {
    const text = firstText(reason, policy.ERRORS_REASONS_TEXTS)
    if (!text) return []
    const names = policy.ERRORS_REASONS_NAMES.map((field) => member(reason, field))
    const given = names.find((name) => typeof name === 'string')
    // A pointer to the root is empty.
    const name = given === undefined ? '' : given.replace(/^\//, '') || 'body'
    return text.startsWith(name) ? text : `${name} ${text}`
  })
}

/** The first of the fields that is a text and not empty. */
function firstText(body: unknown, fields: readonly string[]): string | null {
  const values = fields.flatMap((field) => members(body, field))
  return values.find((value): value is string => !!value && typeof value === 'string') ?? null
}

/** A field of a problem, or of one that is wrapped as `error`. */
function members(body: unknown, field: string): unknown[] {
  return [member(body, field), member(member(body, 'error'), field)]
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
