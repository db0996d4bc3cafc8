import type { IncomingMessage, ServerResponse } from 'node:http'
import { WEBHOOKS_HINTS } from '../generated/policy.js'
import type { WebhookBody } from './body.js'
import { WebhookVerificationError } from './error.js'
import { createReceiver, hungUp, REST_BYTES, REST_MS, type ReceiverResponse } from './http.js'
import type { WebhookHandler, WebhookHandlerOptions } from './receive.js'
import { ByteSink, refuseLength } from './sink.js'
import type { Webhooks } from './webhooks.js'

export type { WebhookHandler, WebhookHandlerOptions } from './receive.js'

/**
 * Makes a receiver of deliveries for `http.createServer`, or for a route of Express or Connect. It
 * verifies each delivery and passes its event to `handler`. The response has no body. The promise
 * resolves when the response is written, and never rejects.
 *
 * @example
 * createServer(webhookHandler(new Webhooks(secret), async (event) => save(event))).listen(8080)
 */
export function webhookHandler(
  webhooks: Webhooks,
  handler: WebhookHandler,
  options?: WebhookHandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const receive = createReceiver(webhooks, handler, options)
  return async (request, response) => {
    const { method, headers } = request
    let isLate = false
    const read = async (maxBytes: number, signal: AbortSignal) => {
      signal.addEventListener('abort', () => {
        isLate = true
      })
      return bodyOf(request) ?? readBody(request, maxBytes, signal)
    }
    respond(await receive({ method, headers, read }), request, response, isLate)
  }
}

const NOT_RAW = `${WEBHOOKS_HINTS.body_already_parsed} Express: add this route before express.json(), or give it express.raw({ type: 'application/json', limit: '1mb' }). NestJS: app.use() this before app.listen(). Next.js: bodyParser: false. Koa: add this before the body parser. Fastify: use the plugin of webhooks/fastify.`

/** The bodies that frameworks set: `rawBody` in Cloud Functions and NestJS, `body` in Express. */
interface Parsed {
  rawBody?: unknown
  body?: unknown
}

/**
 * The bytes of a body that a framework has read. Undefined where it is still unread.
 *
 * @throws {WebhookVerificationError} `body_already_parsed`
 */
function bodyOf(request: IncomingMessage & Parsed): WebhookBody | undefined {
  const { rawBody, body } = request
  if (ArrayBuffer.isView(rawBody)) return rawBody
  if (ArrayBuffer.isView(body)) return body
  if (request.aborted) throw hungUp()
  const isRead = request.readableDidRead || request.readableEnded || request.readableEncoding
  if (!isRead && isUnread(body)) return undefined
  throw new WebhookVerificationError('body_already_parsed', NOT_RAW)
}

/** Express 4 leaves an empty object where no parser has read the body. */
function isUnread(body: unknown): boolean {
  return body == null || (typeof body === 'object' && Object.keys(body).length === 0)
}

/** Reads until the end or the limit. `respond` reads a part of the rest. */
function readBody(
  request: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  refuseLength(request.headers['content-length'], maxBytes)
  const sink = new ByteSink(maxBytes)
  return new Promise((resolve, reject) => {
    const add = (part: Uint8Array) => {
      try {
        sink.add(part)
      } catch (error) {
        stop(error)
      }
    }
    const end = () => resolve(sink.bytes)
    const stop = (error: unknown) => {
      request.off('data', add).off('end', end)
      reject(error)
    }
    signal.addEventListener('abort', () => stop(signal.reason))
    if (request.destroyed) stop(hungUp())
    request
      .on('data', add)
      .once('end', end)
      .once('error', (cause) => stop(hungUp(cause)))
      .once('close', () => stop(hungUp()))
      .resume()
  })
}

function respond(
  { status, headers }: ReceiverResponse,
  request: IncomingMessage,
  response: ServerResponse,
  isLate: boolean,
): void {
  // Other code has responded, for example because of a timeout.
  if (response.headersSent) return
  if (request.complete || request.readableEnded) {
    response.writeHead(status, headers).end()
    return
  }
  // A connection that closes while the sender writes may lose the response. So the whole response
  // goes out first, then a part of the rest is read. If that is all, the connection stays open for
  // the requests that follow.
  const isTooLong = Number(request.headers['content-length']) > REST_BYTES
  // HTTP/2 has other requests on the connection.
  const isOwn = request.httpVersionMajor === 1
  const closing = isOwn && (isLate || isTooLong) ? { connection: 'close' } : {}
  response.writeHead(status, { ...headers, 'content-length': '0', ...closing }).flushHeaders()
  const end = () => {
    clearTimeout(timer)
    request.off('data', count)
    response.end()
  }
  const close = () => {
    end()
    if (isOwn) request.socket.destroySoon()
  }
  let rest = REST_BYTES
  const count = (part: Uint8Array) => {
    rest -= part.length
    if (rest < 0) close()
  }
  const timer = setTimeout(close, REST_MS)
  request.on('data', count).once('end', end).once('close', end).resume()
}
