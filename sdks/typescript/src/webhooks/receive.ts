import {
  WEBHOOKS_REFUSALS,
  WEBHOOKS_RESPONSES_DUPLICATE,
  WEBHOOKS_RESPONSES_FAILED,
  WEBHOOKS_RESPONSES_HANDLED,
  WEBHOOKS_RESPONSES_IN_PROGRESS,
  WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED,
} from '../generated/policy.js'
import type { WebhookBody } from './body.js'
import type { DedupeStore } from './dedupe.js'
import { WebhookVerificationError } from './error.js'
import type { WebhookEvent } from './event.js'
import type { WebhookHeaders } from './headers.js'
import type { Webhooks } from './webhooks.js'

/**
 * Processes an event. Its promise is awaited. When it throws or rejects, the service delivers the
 * event again.
 */
export type WebhookHandler = (event: WebhookEvent) => unknown

/** The options of a receiver. */
export interface WebhookHandlerOptions {
  /**
   * Remembers the handled events, so that each is handled once.
   *
   * @default none, which handles every delivery
   */
  store?: DedupeStore | undefined
  /**
   * Receives the reason why a delivery was not handled: a `WebhookVerificationError`, or the error of
   * the handler, the store or the body. It is not awaited, and its own errors are ignored. The
   * response never holds the reason.
   *
   * @default console.error
   */
  onError?: ((error: unknown) => void) | undefined
}

/** A request, before its body is read. */
export interface ReceivedRequest {
  method: string | undefined
  headers: WebhookHeaders
  /** Reads the body, and fails beyond `maxBytes`. */
  read(maxBytes: number): Promise<WebhookBody>
}

/** The response to a delivery. It has no body. */
export interface ReceiverResponse {
  status: number
  headers: Record<string, string>
}

/** Makes the part that all receivers share. Its promise never rejects. */
export function createReceiver(
  webhooks: Webhooks,
  handle: WebhookHandler,
  options: WebhookHandlerOptions = {},
): (request: ReceivedRequest) => Promise<ReceiverResponse> {
  const store = options.store ?? noStore
  const onError = options.onError ?? logError

  async function report(error: unknown): Promise<void> {
    try {
      await onError(error)
    } catch {}
  }

  async function receive({ headers, read }: ReceivedRequest): Promise<number> {
    let event: WebhookEvent
    try {
      event = await webhooks.unwrap(await read(webhooks.maxBodyBytes), headers)
    } catch (error) {
      report(error)
      const isRefused = error instanceof WebhookVerificationError
      return isRefused ? WEBHOOKS_REFUSALS[error.code] : WEBHOOKS_RESPONSES_FAILED
    }
    try {
      return await handleOnce(event)
    } catch (error) {
      report(error)
      return WEBHOOKS_RESPONSES_FAILED
    }
  }

  /** Throws the errors of the store. */
  async function handleOnce(event: WebhookEvent): Promise<number> {
    const lease = await store.begin(event.id)
    if (lease.state === 'done') return WEBHOOKS_RESPONSES_DUPLICATE
    if (lease.state !== 'new') return WEBHOOKS_RESPONSES_IN_PROGRESS
    try {
      await handle(event)
    } catch (error) {
      report(error)
      await store.release(event.id, lease.token)
      return WEBHOOKS_RESPONSES_FAILED
    }
    await store.done(event.id, lease.token)
    return WEBHOOKS_RESPONSES_HANDLED
  }

  return async (request): Promise<ReceiverResponse> => {
    if (request.method === 'POST') return { status: await receive(request), headers: {} }
    return { status: WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED, headers: { allow: 'POST' } }
  }
}

/** The store where there is none. */
const noStore: DedupeStore = {
  begin: () => ({ state: 'new', token: '' }),
  done() {},
  release() {},
}

function logError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: without a hook, nothing else would explain a 503
  console.error(error)
}
