/**
 * The connection side of the door: node:http with a {@link Handler}. A connection without a valid
 * request (a malformed first line, a header that is too long, a timeout) gets a problem as well.
 * Fetch-style adapters give up earlier, with an empty 400 or a reset.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureServer, createServer, validateHeaderValue } from './http.ts'
import type { Handler, HttpRequest, HttpResponse } from './message.ts'
import { Problem, problemResponse, titleOf } from './problem.ts'
import { newRequestId } from './request-id.ts'

/** A certificate and its key, as PEM. */
export interface Tls {
  cert: string
  key: string
}

/** A server that listens. */
export interface Listener {
  port: number
  /** Accepts no more requests, waits for the running ones and closes; after nine seconds by force. */
  close(): Promise<void>
}

export interface ListenOptions {
  /** @default plain HTTP */
  tls?: Tls | undefined
  times?: Partial<typeof TIMES>
  maxConnections?: number
  /** Called for requests that no handler gets. */
  onRefused?: (line: RequestLine, response: HttpResponse) => void
}

/** What is known of a request that no handler gets. */
export interface RequestLine {
  method: string
  target: string
}

/** An error of a connection, with the bytes that Node.js could not parse. */
type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** Timeouts in milliseconds: of the headers, of the whole request, and of an idle connection. */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
}
/** Less than the ten seconds after which the process ends. */
const CLOSE_TIMEOUT = 9_000
/** How many connections may be open at the same time. */
const MAX_CONNECTIONS = 1_000
/** How much of an unwanted body is read, so that the client can read its response. */
const DISCARD_LIMIT = 32 * 1024 * 1024

/** Headers that must not be repeated, since it would be unclear which one counts. */
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
  { times = TIMES, maxConnections = MAX_CONNECTIONS, onRefused, tls }: ListenOptions = {},
): Promise<Listener> {
  // Otherwise Node responds to a missing Host by itself, with an empty body.
  const options = { requireHostHeader: false, ...times }
  const server = tls ? createSecureServer({ ...options, ...tls }) : createServer(options)
  const latest = new WeakMap<Duplex, ServerResponse>()
  const connections = new Set<Socket>()
  let closing = false

  const told = (response: HttpResponse, line: RequestLine) => {
    onRefused?.(line, response)
    return response
  }

  const serve = async (request: IncomingMessage, response: ServerResponse, expectsGo: boolean) => {
    latest.set(request.socket, response)
    response.on('error', () => {}) // the client is gone
    request.on('error', () => {})
    let waits = expectsGo
    const go = () => {
      if (waits) response.writeContinue()
      waits = false
    }
    const fault = headerFault(request)
    const result = fault
      ? told(reject(400, 'malformed_request', fault), lineOf(request))
      : await respond(handler, request, response, go)
    // A client without its 100 Continue may or may not send the body, so the connection ends here.
    const last = closing || waits
    const headers = last ? { ...result.headers, connection: 'close' } : result.headers
    // Without its 100 Continue, there may be no body to wait for.
    const arrived = waits ? undefined : discarded(request)
    send(response, { ...result, headers }, request.method === 'HEAD', arrived)
  }

  const accept = (expectsGo: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response, expectsGo).catch(() => request.socket.destroy())
  }

  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    if (connections.size > maxConnections) {
      const detail = `There are already ${maxConnections} connections. Close some, or reuse them.`
      refuse(socket, reject(503, 'too_many_connections', detail, { 'retry-after': '1' }))
    }
  })
  server.on('request', accept(false))
  server.on('checkContinue', accept(true))
  server.on('checkExpectation', (request, response) => {
    latest.set(request.socket, response)
    const detail = 'Only `Expect: 100-continue` is supported.'
    send(response, reject(417, 'expectation_failed', detail), request.method === 'HEAD')
  })
  server.on('connect', (_request, socket) => {
    refuse(
      socket,
      reject(405, 'method_not_allowed', 'This is not a proxy.', { allow: 'GET, POST' }),
    )
  })
  server.on('clientError', (error: ClientError, socket) => {
    const refusal = CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED
    const running = latest.get(socket)
    const refuseIt = () => refuse(socket, told(reject(...refusal), firstLineOf(error)))
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (!running || running.writableFinished) refuseIt()
    // The error is in the body of the current request, or after it.
    else if (running.req.complete) running.once('finish', refuseIt)
    else if (running.headersSent) socket.destroy()
    else refuseIt()
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
      // Node.js counts a connection as idle only after it has been used.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
      return close(server)
    },
  }
}

function lineOf({ method = '', url = '' }: IncomingMessage): RequestLine {
  return { method, target: url }
}

/** The first line of what a client sent, as far as it is one. */
function firstLineOf({ rawPacket }: ClientError): RequestLine {
  const start = rawPacket?.subarray(0, 2000).toString('latin1') ?? ''
  const [, method = '', target = ''] = /^([A-Z]{1,20}) (\S+)/.exec(start) ?? []
  return { method, target }
}

type Refusal = [status: number, code: string, detail: string]
const MALFORMED: Refusal = [400, 'malformed_request', 'This is not a valid HTTP/1.1 request.']
const CLIENT_ERRORS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'headers_too_large',
    'The headers are larger than 16 KiB. Send fewer or shorter ones.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'content_too_large', 'The chunk extensions are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'request_timeout',
    'The request did not arrive in time. Send it again.',
  ],
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
  const request: HttpRequest = {
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    headers: incoming.headers as Record<string, string | undefined>,
    body: {
      [Symbol.asyncIterator]: () => {
        go()
        // The response still needs the socket if the reader stops early.
        return incoming.iterator({ destroyOnReturn: false })
      },
    },
    remote: incoming.socket.remoteAddress ?? '',
    isRepeated: (name) => isRepeated(incoming, name),
    // The client may be gone by the time that anybody wants to hear of it.
    onGone: (gone) => void (response.destroyed ? gone() : response.once('close', gone)),
  }
  return handler(request)
}

function isRepeated({ rawHeaders }: IncomingMessage, name: string): boolean {
  const isNamed = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === name
  return rawHeaders.filter(isNamed).length > 1
}

function headerFault({ rawHeaders, headers, httpVersion }: IncomingMessage): string | null {
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!SINGLE.has(name)) continue
    if (seen.has(name)) return `The header \`${name}\` was sent more than once. Send it once.`
    seen.add(name)
  }
  if (headers.host === undefined)
    return httpVersion === '1.0' ? null : 'The Host header is missing.'
  return HOST.test(headers.host) ? null : 'The Host header is malformed.'
}

function send(
  response: ServerResponse,
  { status, headers, body = '', cut }: HttpResponse,
  head: boolean,
  arrived?: Promise<void>,
) {
  if (response.destroyed || response.headersSent) return
  if (cut === 'reset') return response.socket?.resetAndDestroy()
  const bodiless = status === 204 || status === 304
  const length = Buffer.byteLength(body)
  const framing = bodiless ? {} : { 'content-length': length }
  response.writeHead(status, titleOf(status), { ...headers, ...framing })
  if (cut === 'truncate' && !head) {
    const half = Buffer.from(body).subarray(0, Buffer.byteLength(body) / 2)
    return response.write(half, () => response.socket?.destroy())
  }
  // ASCII is the same in both encodings, and Latin-1 is written faster.
  const encoding = length === body.length ? 'latin1' : 'utf8'
  const isEmpty = head || bodiless
  if (!arrived) return isEmpty ? response.end() : response.end(body, encoding)
  // The response is whole, and the connection stays until the client has sent all (RFC 9112 §9.6): closing
  // it earlier resets it, and the client loses what it has not read.
  if (isEmpty) response.flushHeaders()
  else response.write(body, encoding)
  void arrived.then(() => response.end())
}

/**
 * Reads the rest of a body that the handler did not read, up to a limit. The timeout of requests limits
 * the time.
 *
 * @returns when it has arrived or the client is gone; undefined if it has arrived already.
 */
function discarded(request: IncomingMessage): Promise<void> | undefined {
  if (request.complete) return undefined
  let length = 0
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > DISCARD_LIMIT) request.socket.destroy()
    })
    request.once('end', resolve)
    request.once('close', resolve)
    request.resume()
  })
}

/** Sends a response on a connection without a request, and closes it. */
function refuse(socket: Duplex, { status, headers, body = '' }: HttpResponse) {
  if (!socket.writable) return socket.destroy()
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => {})
  // What the client still sends is read: unread bytes would reset the connection.
  socket.resume()
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
