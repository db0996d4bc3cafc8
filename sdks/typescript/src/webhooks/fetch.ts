import { WEBHOOKS_HINTS } from '../generated/policy.js'
import { WebhookVerificationError } from './error.js'
import { createReceiver, hungUp, REST_BYTES, REST_MS } from './http.js'
import type { WebhookHandler, WebhookHandlerOptions } from './receive.js'
import { ByteSink, refuseLength } from './sink.js'
import type { Webhooks } from './webhooks.js'

export type { WebhookHandler, WebhookHandlerOptions } from './receive.js'

/**
 * Makes a receiver of deliveries for frameworks that use `Request` and `Response`: Next.js, Workers,
 * Deno, Bun, Hono. It verifies each delivery and passes its event to `handler`. The response has no
 * body, and the promise never rejects.
 *
 * @example
 * export const POST = webhookHandler(new Webhooks(secret), async (event) => save(event))
 */
export function webhookHandler(
  webhooks: Webhooks,
  handler: WebhookHandler,
  options?: WebhookHandlerOptions,
): (request: Request) => Promise<Response> {
  const receive = createReceiver(webhooks, handler, options)
  return async (request) => {
    const { method, headers } = request
    const response = await receive({
      method,
      headers,
      read: (maxBytes, signal) => readBody(request, maxBytes, signal),
    })
    return new Response(null, response)
  }
}

const NOT_RAW = `${WEBHOOKS_HINTS.body_already_parsed} Next.js, Hono, Workers: read a request.clone() elsewhere, or call the receiver first.`

/** @throws {WebhookVerificationError} `body_already_parsed`, `payload_too_large` */
async function readBody(
  request: Request,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) {
    throw new WebhookVerificationError('body_already_parsed', NOT_RAW)
  }
  const announced = request.headers.get('content-length')
  const sink = new ByteSink(maxBytes)
  const reader = request.body?.getReader()
  // Not awaited, because the sender may be slow to stop. Ends the read that is pending.
  const cancel = () => {
    reader?.cancel().catch(() => {})
  }
  signal.addEventListener('abort', cancel)
  try {
    refuseLength(announced, maxBytes)
    for (;;) {
      const part = await reader?.read().catch((cause) => Promise.reject(hungUp(cause)))
      signal.throwIfAborted()
      if (!part || part.done) return sink.bytes
      sink.add(part.value)
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (reader && !(Number(announced) > REST_BYTES)) await skipRest(reader, cancel)
    cancel()
    throw error
  }
}

/**
 * Reads a part of what follows a refused part. Some servers end a connection as soon as they respond to
 * a body that is unread, and the response may be lost with it.
 */
async function skipRest(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  cancel: () => void,
): Promise<void> {
  const timer = setTimeout(cancel, REST_MS)
  try {
    for (let rest = REST_BYTES; rest > 0; ) {
      const { done, value } = await reader.read()
      if (done) return
      rest -= value.byteLength
    }
  } catch {
    // The sender hung up. It is told nothing.
  } finally {
    clearTimeout(timer)
  }
}
