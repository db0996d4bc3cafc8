import { createServer, type Server } from 'node:http'
import { MemoryDedupeStore, type WebhookEvent, type Webhooks } from '@support-chat/sdk/webhooks'
import { webhookHandler } from '@support-chat/sdk/webhooks/node'

export interface ReceiverOptions {
  webhooks: Webhooks
  /** Does the work. It may be called again for an event that it failed to handle. */
  handle: (event: WebhookEvent) => Promise<void>
  /** Receives refused deliveries and failures. The response never contains the reason. */
  report: (error: unknown) => void
}

/** An HTTP server that receives events, each of which it handles once. */
export function createReceiver({ webhooks, handle, report }: ReceiverOptions): Server {
  // In production a table whose key is the event's id, written in the transaction of the work.
  const store = new MemoryDedupeStore()
  return createServer(webhookHandler(webhooks, handle, { store, onError: report }))
}
