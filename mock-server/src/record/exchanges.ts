/** Records what the server handles: calls of the API, and attempts to deliver events. */
import type { Result } from '../delivery/sender.ts'
import type { Handler, HttpRequest, HttpResponse } from '../door/message.ts'
import { type Job, LISTENER_SCHEME } from '../store/types.ts'
import { type Captured, captured, KEPT } from './har.ts'
import type { Exchange } from './recording.ts'

export type Note = (exchange: Exchange) => void

/**
 * Makes a handler note its exchanges.
 *
 * @param isNoted Whether a request target is of interest.
 * @param baseUrl The URL of the server, for requests without a host.
 */
export function noting(
  handler: Handler,
  note: Note,
  isNoted: (target: string) => boolean,
  baseUrl: () => string,
): Handler {
  return async (request) => {
    if (!isNoted(request.target)) return handler(request)
    const started = Date.now()
    const from = performance.now()
    const body = capturing(request)
    const response = await handler({ ...request, body: body.stream })
    const { method, headers } = request
    note({
      started,
      time: performance.now() - from,
      method,
      url: urlOf(request, baseUrl()),
      request: { headers, body: body.captured() },
      response: received(response, method),
    })
    return response
  }
}

/** Notes an attempt to deliver an event. */
export function noteAttempt(
  note: Note,
  { id, endpoint, event, attempted }: Job,
  headers: Record<string, string>,
  { started, result }: { started: number; result: Result },
): void {
  const { status, reason, headers: fields, body } = result
  note({
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
  })
}

/** Keeps the start of a body while the handler reads it. */
function capturing({ body }: HttpRequest) {
  const chunks: Uint8Array[] = []
  let [size, kept] = [0, 0]
  async function* stream() {
    for await (const chunk of body) {
      size += chunk.byteLength
      const start = chunk.subarray(0, KEPT - kept)
      if (start.byteLength > 0) chunks.push(start)
      kept += start.byteLength
      yield chunk
    }
  }
  return {
    stream: { [Symbol.asyncIterator]: stream },
    captured: (): Captured => ({ size, bytes: Buffer.concat(chunks) }),
  }
}

/** What the client has of a response. */
function received({ status, headers, body, cut }: HttpResponse, method: string) {
  if (cut === 'reset') return { status: 0, headers: {}, body: captured(), error: 'reset' }
  const isEmpty = method === 'HEAD' || cut === 'truncate'
  const error = cut === 'truncate' ? { error: 'truncated' } : {}
  return { status, headers, body: captured(isEmpty ? '' : body), ...error }
}

function urlOf({ target, headers }: HttpRequest, baseUrl: string): string {
  const { host } = headers
  const base = host !== undefined && URL.canParse(`http://${host}`) ? `http://${host}` : baseUrl
  return URL.canParse(target, base) ? new URL(target, base).href : base
}
