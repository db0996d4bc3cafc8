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
  /** What was read of the request's body. */
  sent: Capture
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
    const { method, target, headers, onGone, findings = {} } = request
    const started = now()
    const from = performance.now()
    const sent = new Capture(request.body)
    const response = await handler({
      method,
      target,
      headers,
      body: sent,
      findings,
      ...(onGone && { onGone }),
    })
    if (findings.isCall || isNoted(target)) {
      const time = performance.now() - from
      const body = keptOf(response.body)
      note({ started, time, request: { method, target, headers }, sent, response, body, findings })
    }
    return response
  }
}

/** @param baseUrl The URL of the server, for requests without a host. */
export function exchangeOf(call: Call, baseUrl: string): Exchange {
  const { started, time, request, sent } = call
  const { method, headers } = request
  return {
    started,
    time,
    method,
    url: urlOf(request, baseUrl),
    request: { headers, body: sent.captured },
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

/** Keeps the start of a body while the handler reads it. */
class Capture implements AsyncIterable<Uint8Array> {
  /** Of what was read, in bytes. */
  size = 0
  readonly #body: HttpRequest['body']
  #chunks: Uint8Array[] = []
  #kept = 0

  constructor(body: HttpRequest['body']) {
    this.#body = body
  }

  get captured(): Captured {
    return { size: this.size, bytes: Buffer.concat(this.#chunks) }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#body) {
      this.size += chunk.byteLength
      const start = chunk.subarray(0, KEPT - this.#kept)
      if (start.byteLength > 0) this.#chunks.push(start)
      this.#kept += start.byteLength
      yield chunk
    }
  }
}

/** A long body is cut now, so that the rest of it does not stay in memory. */
function keptOf(body: HttpResponse['body']): Call['body'] {
  return body !== undefined && body.length > KEPT ? captured(body) : body
}

export function isCaptured(body: Call['body']): body is Captured {
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
