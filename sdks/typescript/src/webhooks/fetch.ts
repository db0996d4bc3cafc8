import { WebhookVerificationError } from './error.js'
import { createReceiver, type WebhookHandler, type WebhookHandlerOptions } from './receive.js'
import { ByteSink, refuseLength } from './sink.js'
import type { Webhooks } from './webhooks.js'

export type { WebhookHandler, WebhookHandlerOptions } from './receive.js'

/**
 * Makes a receiver of deliveries for whatever speaks fetch: Next.js, Workers, Deno, Bun, Hono. It
 * verifies each, hands its event to `handler` and answers; the answer has no body and the promise
 * never rejects.
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
    const answer = await receive({
      method,
      headers,
      read: (maxBytes) => readBody(request, maxBytes),
    })
    return new Response(null, answer)
  }
}

const CURE =
  'The body was read before. Next.js, Hono, Workers: read a request.clone() elsewhere, or hand this one over first.'

/** @throws {WebhookVerificationError} `body_already_parsed`, `payload_too_large` */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) {
    throw new WebhookVerificationError('body_already_parsed', CURE)
  }
  const sink = new ByteSink(maxBytes)
  const reader = request.body?.getReader()
  try {
    refuseLength(request.headers.get('content-length'), maxBytes)
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) return sink.bytes
      sink.add(part.value)
    }
  } catch (error) {
    // Not waited for: a sender may take its time to stop.
    reader?.cancel().catch(() => {})
    throw error
  }
}
