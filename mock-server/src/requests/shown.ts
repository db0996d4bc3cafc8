/** Calls in the format of the control API. */
import { Problem } from '../door/problem.ts'
import type { Call } from '../record/exchanges.ts'
import type { Entry, Field, Text } from '../record/har.ts'
import type { RequestLog } from './log.ts'

/** A body as text; null if there is none. */
interface Body {
  body: string | null
  /** For a body that is no text. */
  body_encoding?: 'base64'
  /** For a long body, which is not kept as a whole. */
  body_size?: number
}

/** A request to the API, and its response. */
export interface LoggedRequest extends Body {
  /** The request id that its response had. */
  id: string
  /** When it arrived (ISO 8601). */
  at: string
  method: string
  path: string
  query: string
  /** Without secrets. */
  headers: Record<string, string>
  response: { status: number | null; headers: Record<string, string> } & Body
  duration_ms: number
  /** The start of its API key; null if it had none that was accepted. */
  key: string | null
  /** Why it was refused. */
  reason: string | null
  /** The fault that it met. */
  fault: string | null
  source: 'client' | 'repeat'
}

export function shownOf(call: Call, log: Pick<RequestLog, 'entryOf'>): LoggedRequest {
  const { findings, time, started } = call
  const { request, response } = log.entryOf(call)
  const { pathname, search } = new URL(request.url)
  const { key, fault = null, source = 'client', id = '' } = findings
  return {
    id,
    at: new Date(started).toISOString(),
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: recordOf(request.headers),
    ...bodyOf(sentOf(request), request.bodySize),
    response: {
      status: response.status || null,
      headers: recordOf(response.headers),
      ...bodyOf(response.content, response.bodySize),
    },
    duration_ms: Math.round(time * 10) / 10,
    key: key ? shortened(key) : null,
    reason: reasonOf(call, response._error),
    fault,
    source,
  }
}

/** The start of a key, which is enough to recognize it. */
export function shortened(key: string): string {
  return key.length > 16 ? `${key.slice(0, 12)}…` : key.length > 8 ? `${key.slice(0, 8)}…` : '…'
}

function reasonOf({ findings: { refusal } }: Call, error: string | undefined): string | null {
  if (!refusal) return error === undefined ? null : `The connection was broken: ${error}.`
  const errors = refusal instanceof Problem ? (refusal.errors ?? []) : []
  const reasons = errors.map(({ pointer, parameter, message }) => {
    return `${(parameter ?? pointer) || 'The body'} ${message}.`
  })
  return reasons.length > 0 ? reasons.join(' ') : refusal.message
}

function sentOf({ postData }: Entry['request']): Text {
  if (!postData) return {}
  const { text, _encoding: encoding, comment } = postData
  return { text, ...(encoding && { encoding }), ...(comment !== undefined && { comment }) }
}

function bodyOf({ text, encoding, comment }: Text, size: number): Body {
  return {
    body: text ?? null,
    ...(encoding && { body_encoding: encoding }),
    ...(comment !== undefined && { body_size: size }),
  }
}

function recordOf(fields: readonly Field[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]))
}
