/**
 * Notes what the server handles: calls of the API, and attempts to deliver events. A note refers to what the
 * server has anyway. It is copied and turned into text when somebody reads it.
 */
import type { Result } from '../delivery/sender.ts'
import type { Findings, Handler, HttpRequest, HttpResponse } from '../door/message.ts'
import { type Job, LISTENER_SCHEME } from '../store/types.ts'
import { type Captured, captured, KEPT } from './har.ts'
import type { Exchange } from './recording.ts'

/** A call, as it was handled. */
export interface Call {
  /** In milliseconds since 1970. */
  started: number
  /** In milliseconds. */
  time: number
  request: Pick<HttpRequest, 'method' | 'target' | 'headers'>
  /** What was read of the request's body, or its start. */
  sent: readonly Uint8Array[] | Captured
  response: HttpResponse
  /** The response's body, or its start. */
  body: HttpResponse['body'] | Captured
  findings: Findings
}

export interface Noting {
  /** Whether a request that no operation handled is of interest, by its target. */
  isNoted: (target: string) => boolean
  note: (call: Call) => void
  /** @default Date.now */
  now?: (() => number) | undefined
}

/** Makes a handler note its calls. */
export function noting(handler: Handler, { isNoted, note, now = Date.now }: Noting): Handler {
  return async (request) => {
    const { method, target, headers } = request
    const started = now()
    const from = performance.now()
    const findings = request.findings ?? {}
    request.findings = findings
    const response = await handler(request)
    if (findings.isCall || isNoted(target)) {
      const time = performance.now() - from
      const sent = startOf(findings.read ?? [])
      const body = keptOf(response.body)
      note({ started, time, request: { method, target, headers }, sent, response, body, findings })
    }
    return response
  }
}

/** @param baseUrl The URL of the server, for requests without a host. */
export function exchangeOf(call: Call, baseUrl: string): Exchange {
  const { started, time, request } = call
  const { method, headers } = request
  return {
    started,
    time,
    method,
    url: urlOf(request, baseUrl),
    request: { headers, body: sentOf(call) },
    response: received(call),
  }
}

/** An attempt to deliver an event. */
export function attemptOf(
  { id, endpoint, event, attempted }: Job,
  headers: Record<string, string>,
  { started, result }: { started: number; result: Result },
): Exchange {
  const { status, reason, headers: fields, body } = result
  return {
    started,
    time: Date.now() - started,
    method: 'POST',
    url: endpoint.url.replace(LISTENER_SCHEME, ''),
    request: { headers, body: captured(event.body) },
    response: {
      status: status ?? 0,
      headers: fields,
      body: captured(body),
      ...(status === null && { error: reason ?? undefined }),
    },
    webhook: { kind: event.kind, event: event.id, delivery: id, attempt: attempted + 1 },
  }
}

/** What was read of the body of a call's request. */
export function sentOf({ sent }: Call): Captured {
  return isCaptured(sent) ? sent : captured(Buffer.concat(sent))
}

/** The size of what is kept of a body, in bytes or characters. */
export function sizeOf(body: Call['sent'] | Call['body'] = ''): number {
  if (isCaptured(body)) return body.bytes.length
  return Array.isArray(body) ? total(body) : body.length
}

function startOf(chunks: readonly Uint8Array[]): Call['sent'] {
  return total(chunks) > KEPT ? captured(Buffer.concat(chunks)) : chunks
}

function total(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

/** A long body is cut now, so that the rest of it does not stay in memory. */
function keptOf(body: HttpResponse['body']): Call['body'] {
  return body !== undefined && body.length > KEPT ? captured(body) : body
}

function isCaptured(body: Call['sent'] | Call['body']): body is Captured {
  return typeof body === 'object' && 'bytes' in body
}

/** What the client has of a response. */
function received({ request, response, body = '' }: Call): Exchange['response'] {
  const { status, headers, cut } = response
  if (cut === 'reset') return { status: 0, headers: {}, body: captured(), error: 'reset' }
  const isEmpty = request.method === 'HEAD' || cut === 'truncate'
  const whole = isCaptured(body) ? body : captured(body)
  const error = cut === 'truncate' ? { error: 'truncated' } : {}
  return { status, headers, body: isEmpty ? captured() : whole, ...error }
}

function urlOf({ target, headers }: Call['request'], baseUrl: string): string {
  const { host } = headers
  const base = host !== undefined && URL.canParse(`http://${host}`) ? `http://${host}` : baseUrl
  return URL.canParse(target, base) ? new URL(target, base).href : base
}
