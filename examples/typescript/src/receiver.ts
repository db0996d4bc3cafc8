import { createServer, type IncomingMessage, type Server } from 'node:http'
import {
  type Event,
  type WebhookFailure,
  type Webhooks,
  WebhookVerificationError,
} from '@support-chat/sdk/webhooks'

export interface ReceiverOptions {
  webhooks: Webhooks
  /** Does the work. It may be called again for an event that it failed to handle. */
  handle: (event: Event) => Promise<void>
  /** Told of refused deliveries and of failures; the sender never learns the reason. */
  report: (error: unknown) => void
  /** The largest body that is kept, in bytes. */
  maxBodyBytes?: number
}

// The service delivers again after a 5xx and a time-out only; after anything else the event is gone.
const HANDLED = 204
const TRY_AGAIN = 503

/** What else to answer than 400. */
const answers: Partial<Record<WebhookFailure, number>> = {
  payload_too_large: 413,
  missing_signature: 401,
  duplicate_header: 401,
  malformed_signature: 401,
  unsupported_algorithm: 401,
  signature_mismatch: 401,
  missing_secret: 500,
  body_already_parsed: 500,
}

/** An HTTP server that receives events, each of which it handles once. */
export function createReceiver(options: ReceiverOptions): Server {
  const { webhooks, handle, report, maxBodyBytes = 1_048_576 } = options
  // In production a table whose key is the event's id, written in the transaction of the work.
  const seen = new Map<string, 'in progress' | 'handled'>()

  async function receive(request: IncomingMessage): Promise<number> {
    const body = await readBody(request, maxBodyBytes)
    const event = await webhooks.unwrap(body, request.headers)

    const state = seen.get(event.id)
    if (state) return state === 'handled' ? HANDLED : TRY_AGAIN
    seen.set(event.id, 'in progress')
    try {
      await handle(event)
    } catch (error) {
      seen.delete(event.id)
      throw error
    }
    seen.set(event.id, 'handled')
    return HANDLED
  }

  return createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST' }).end()
      return
    }
    receive(request)
      .catch((error: unknown) => {
        report(error)
        return error instanceof WebhookVerificationError ? (answers[error.code] ?? 400) : TRY_AGAIN
      })
      .then((status) => response.writeHead(status).end())
  })
}

/** The bytes as they came, which is what the signature covers. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length
    // Read to the end but not kept, since a sender that still writes would not see the answer.
    if (size <= maxBytes) chunks.push(chunk)
  }
  if (size > maxBytes) throw new WebhookVerificationError('payload_too_large')
  return Buffer.concat(chunks)
}
