/**
 * The connection side of the door: node:http, made to answer everything with a {@link Handler} or,
 * where no request came about (a malformed first line, too long a header, a time-out), with a
 * problem of its own. Fetch-style adapters give up earlier than that, with an empty 400 or a reset.
 */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  validateHeaderValue,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Handler, HttpRequest, HttpResponse } from './message.ts'
import { Problem, problemResponse, titleOf } from './problem.ts'
import { newRequestId } from './request-id.ts'

/** Where a server listens, and how it ends. */
export interface Listener {
  port: number
  /** Takes no more requests, lets the running ones end and closes; after nine seconds by force. */
  close(): Promise<void>
}

/** Milliseconds until a request must have arrived, in part or whole; or the next one has to begin. */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
}
/** Less than the ten seconds after which the process ends. */
const CLOSE_TIMEOUT = 9_000
/** How many connections may be open at once. */
const MAX_CONNECTIONS = 1_000
/** How much of a body that nobody wants is read, so that the client gets to see its answer. */
const DISCARD_LIMIT = 32 * 1024 * 1024

/** Fields of which a second one would leave open which of them counts. */
const SINGLE = new Set(['host', 'authorization', 'content-type', 'content-encoding'])
const HOST = /^([\w.~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/

/**
 * Starts to listen.
 *
 * @param port 0 for any free one.
 * @throws What node:net reports, for example EADDRINUSE.
 */
export async function listen(
  handler: Handler,
  port: number,
  host: string,
  { times = TIMES, maxConnections = MAX_CONNECTIONS } = {},
): Promise<Listener> {
  // Node would answer a missing Host by itself, with an empty body.
  const server = createServer({ requireHostHeader: false, ...times })
  const latest = new WeakMap<Duplex, ServerResponse>()
  const connections = new Set<Socket>()
  let closing = false

  const answer = async (request: IncomingMessage, response: ServerResponse, expectsGo: boolean) => {
    latest.set(request.socket, response)
    response.on('error', () => {}) // the client is gone
    request.on('error', () => {})
    let waits = expectsGo
    const go = () => {
      if (waits) response.writeContinue()
      waits = false
    }
    const result = await respond(handler, request, response, go)
    discard(request)
    // A client that waits in vain for its go-ahead may or may not send the body: no telling.
    const last = closing || waits
    const headers = last ? { ...result.headers, connection: 'close' } : result.headers
    send(response, { ...result, headers }, request.method === 'HEAD')
  }

  const accept = (expectsGo: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response, expectsGo).catch(() => request.socket.destroy())
  }

  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    if (connections.size > maxConnections) {
      const detail = `There are ${maxConnections} connections already. Close some, or use them again.`
      refuse(socket, reject(503, 'too_many_connections', detail, { 'retry-after': '1' }))
    }
  })
  server.on('request', accept(false))
  server.on('checkContinue', accept(true))
  server.on('checkExpectation', (request, response) => {
    latest.set(request.socket, response)
    const detail = 'Only `Expect: 100-continue` is understood.'
    send(response, reject(417, 'expectation_failed', detail), request.method === 'HEAD')
  })
  server.on('connect', (_request, socket) => {
    refuse(
      socket,
      reject(405, 'method_not_allowed', 'This is not a proxy.', { allow: 'GET, POST' }),
    )
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refusal = CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED
    const running = latest.get(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (!running || running.writableFinished) refuse(socket, reject(...refusal))
    // The error is in the body of the request that waits for its answer, or in what follows it.
    else if (running.req.complete) running.once('finish', () => refuse(socket, reject(...refusal)))
    else if (running.headersSent) socket.destroy()
    else refuse(socket, reject(...refusal))
  })

  await new Promise<void>((resolve, rejectListen) => {
    server.once('error', rejectListen)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () => {
      closing = true
      // Node.js takes only those for idle that have been used.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
      return close(server)
    },
  }
}

type Refusal = [status: number, code: string, detail: string]
const MALFORMED: Refusal = [400, 'malformed_request', 'This is not an HTTP/1.1 request.']
const CLIENT_ERRORS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers have more than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'content_too_large', 'The chunk extensions are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
}

function reject(status: number, code: string, detail: string, headers = {}): HttpResponse {
  const requestId = newRequestId()
  const response = problemResponse(new Problem(status, code, detail, { headers }), requestId)
  return { ...response, headers: { ...response.headers, 'x-request-id': requestId } }
}

async function respond(
  handler: Handler,
  incoming: IncomingMessage,
  response: ServerResponse,
  go: () => void,
): Promise<HttpResponse> {
  const fault = headerFault(incoming)
  if (fault) return reject(400, 'malformed_request', fault)
  const request: HttpRequest = {
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    headers: incoming.headers as Record<string, string | undefined>,
    body: {
      [Symbol.asyncIterator]: () => {
        go()
        // The answer still needs the socket when the reader stops early.
        return incoming.iterator({ destroyOnReturn: false })
      },
    },
    // The client may be gone by the time that anybody wants to hear of it.
    onGone: (gone) => void (response.destroyed ? gone() : response.once('close', gone)),
  }
  return handler(request)
}

function headerFault({ rawHeaders, headers, httpVersion }: IncomingMessage): string | null {
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!SINGLE.has(name)) continue
    if (seen.has(name)) return `The header \`${name}\` was sent more than once.`
    seen.add(name)
  }
  if (headers.host === undefined) return httpVersion === '1.0' ? null : 'There is no Host header.'
  return HOST.test(headers.host) ? null : 'The Host header is malformed.'
}

function send(
  response: ServerResponse,
  { status, headers, body = '', cut }: HttpResponse,
  head: boolean,
) {
  if (response.destroyed || response.headersSent) return
  if (cut === 'reset') return response.socket?.resetAndDestroy()
  const bodiless = status === 204 || status === 304
  const length = bodiless ? {} : { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, titleOf(status), { ...headers, ...length })
  if (cut === 'truncate' && !head) {
    const half = Buffer.from(body).subarray(0, Buffer.byteLength(body) / 2)
    return response.write(half, () => response.socket?.destroy())
  }
  response.end(head || bodiless ? undefined : body)
}

/** Reads on what the handler left of a body, up to a limit: a reset could overtake the answer. */
function discard(request: IncomingMessage) {
  if (request.complete) return
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > DISCARD_LIMIT) request.socket.destroy()
  })
  request.resume()
}

/** Answers on a connection that has no request, and ends it. */
function refuse(socket: Duplex, { status, headers, body = '' }: HttpResponse) {
  if (!socket.writable) return socket.destroy()
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => {})
  socket.end(`HTTP/1.1 ${status} ${titleOf(status)}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), 1_000).unref()
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** Whether a value may be sent in a header. */
export function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}
