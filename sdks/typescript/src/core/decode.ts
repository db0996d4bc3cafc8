import { errorClass } from '../generated/errors.js'
import * as policy from '../generated/policy.js'
import { type APIError, InvalidResponseError } from './errors.js'
import { describe, withoutKey } from './message.js'
import type { Operation } from './operation.js'
import type { Settings } from './options.js'
import type { Reply } from './reply.js'
import { serverDelay } from './retry.js'

/**
 * Reads an answer.
 *
 * @throws APIError for a status that is no success.
 * @throws InvalidResponseError for a success that cannot be read.
 */
export function decode(reply: Reply, operation: Operation, settings: Settings): unknown {
  if (!reply.ok) throw errorOf(reply, settings)
  if (reply.method === 'HEAD' || reply.status === 204) return undefined
  if (operation.read) return operation.read(reply)
  const json = parse(reply.read(), operation.parse)
  if (json) return json.value
  throw invalid('the body is not JSON', reply, settings)
}

/** The error for a success that cannot be used. */
export function invalid(what: string, reply: Reply, settings: Settings): InvalidResponseError {
  const message = describe(`${reply.status}: ${what}`, reply, settings)
  return new InvalidResponseError(message, reply.requestId)
}

function errorOf(reply: Reply, settings: Settings): APIError {
  const { status, headers, method, url } = reply
  const text = reply.read()
  const json = parse(text)
  const body = json ? json.value : text
  const requestId = reply.requestId ?? pick(body, 'request_id')
  const code = pick(body, 'code')
  const detail = status >= 300 && status < 400 ? redirect(reply) : explanation(body, settings)
  const message = status + (code ? ` ${code}` : '') + (detail && `: ${detail}`)
  const delay = serverDelay(headers)
  const Type = errorClass(status)
  return new Type(describe(message, { method, url, requestId }, settings), {
    status,
    outcome: isUnknown(status) ? 'unknown' : 'rejected',
    code,
    requestId,
    retryAfter: delay === null ? null : delay / 1_000,
    headers,
    body,
  })
}

function isUnknown(status: number): boolean {
  return policy.ERRORS_UNKNOWN_STATUSES.some(([from, to]) => status >= from && status <= to)
}

/** Says where a redirect leads without its path and query, which may hold a secret. */
function redirect({ headers, url }: Reply): string {
  const location = headers.get('location')
  const origin = location && URL.canParse(location, url) ? new URL(location, url).origin : 'null'
  return `redirect to ${origin === 'null' ? 'nowhere' : origin}, not followed`
}

/** The sentence in which a body says what is wrong. */
function explanation(body: unknown, settings: Settings): string {
  if (typeof body === 'string') {
    const max = policy.ERRORS_MAX_MESSAGE_CHARS
    // By characters, none of which is longer than two units, so that none is cut in half.
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
