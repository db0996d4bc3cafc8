import type { IncomingMessage, ServerResponse } from 'node:http'
import { WEBHOOKS_HINTS } from '../generated/policy.js'
import type { WebhookBody } from './body.js'
import { WebhookVerificationError } from './error.js'
import {
  createReceiver,
  type ReceiverResponse,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from './receive.js'
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
    const read = async (maxBytes: number) => bodyOf(request) ?? readBody(request, maxBytes)
    respond(await receive({ method, headers, read }), request, response)
  }
}

const NOT_RAW = `${WEBHOOKS_HINTS.body_already_parsed} Express: add this route before express.json(), or give it express.raw({ type: 'application/json' }). Next.js: bodyParser: false. NestJS: rawBody: true. Fastify: parseAs: 'buffer'.`

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
  const isRead = request.readableDidRead || request.readableEnded || request.readableEncoding
  if (!isRead && isUnread(body)) return undefined
  throw new WebhookVerificationError('body_already_parsed', NOT_RAW)
}

/** Express 4 leaves an empty object where no parser has read the body. */
function isUnread(body: unknown): boolean {
  return body == null || (typeof body === 'object' && Object.keys(body).length === 0)
}

/** Reads until the end or the limit. `respond` reads a part of the rest. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
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
    const stop = (error: unknown = new Error('The sender left before the end of the body.')) => {
      request.off('data', add).off('end', end)
      reject(error)
    }
    if (request.destroyed) stop()
    request
      .on('data', add)
      .once('end', end)
      .once('error', stop)
      .once('close', () => stop())
      .resume()
  })
}

/** How much of a refused body is still read, and for how long. */
const REST_BYTES = 16_777_216
const REST_MS = 2_000

function respond(
  { status, headers }: ReceiverResponse,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  // Other code has responded, for example because of a timeout.
  if (response.headersSent) return
  if (request.complete || request.readableEnded) {
    response.writeHead(status, headers).end()
    return
  }
  // A connection that closes while the sender writes may lose the response. So the whole response
  // goes out first, then a part of the rest is read, then the connection ends.
  const closing = { ...headers, 'content-length': '0', connection: 'close' }
  response.writeHead(status, closing).flushHeaders()
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, REST_MS)
  let rest = REST_BYTES
  request.on('data', (part: Uint8Array) => {
    rest -= part.length
    if (rest < 0) end()
  })
  request.once('end', end).once('close', end).resume()
}
