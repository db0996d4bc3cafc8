import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebhookBody } from './body.js'
import { WebhookVerificationError } from './error.js'
import {
  type Answer,
  createReceiver,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from './receive.js'
import { ByteSink, refuseLength } from './sink.js'
import type { Webhooks } from './webhooks.js'

export type { WebhookHandler, WebhookHandlerOptions } from './receive.js'

/**
 * Makes a receiver of deliveries for `http.createServer`, or for a route of Express or Connect. It
 * verifies each, hands its event to `handler` and answers; the answer has no body. The promise is
 * kept when it is written, and never rejects.
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
    answerWith(await receive({ method, headers, read }), request, response)
  }
}

const CURE =
  "The body was parsed before. Express: add this route before express.json(), or give it express.raw({ type: 'application/json' }). Next.js: bodyParser: false. NestJS: rawBody: true. Fastify: parseAs: 'buffer'."

/** What frameworks leave in a request: `rawBody` in Cloud Functions and NestJS, `body` in Express. */
interface Parsed {
  rawBody?: unknown
  body?: unknown
}

/**
 * The bytes of a body that was read before; nothing where it is still to be read.
 *
 * @throws {WebhookVerificationError} `body_already_parsed`
 */
function bodyOf(request: IncomingMessage & Parsed): WebhookBody | undefined {
  const { rawBody, body } = request
  if (ArrayBuffer.isView(rawBody)) return rawBody
  if (ArrayBuffer.isView(body)) return body
  const isRead = request.readableDidRead || request.readableEnded || request.readableEncoding
  if (!isRead && isNothing(body)) return undefined
  throw new WebhookVerificationError('body_already_parsed', CURE)
}

/** Express 4 leaves an empty object where no parser took the body. */
function isNothing(body: unknown): boolean {
  return body == null || (typeof body === 'object' && Object.keys(body).length === 0)
}

/** Reads until the end or the limit; what comes after the limit is left to the answer. */
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

/** How much of a body that is refused is still read, and for how long. */
const REST_BYTES = 16_777_216
const REST_MS = 2_000

function answerWith(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  // Someone else has answered, for example because of a time-out.
  if (response.headersSent) return
  if (request.complete || request.readableEnded) {
    response.writeHead(answer.status, answer.headers).end()
    return
  }
  // A connection that closes on a sender who still writes may take the answer with it. So the whole
  // answer goes out, then comes a part of the rest, then the end.
  const headers = { ...answer.headers, 'content-length': '0', connection: 'close' }
  response.writeHead(answer.status, headers).flushHeaders()
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
