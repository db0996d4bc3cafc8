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
import type { Event } from './event.js'
import type { WebhookHeaders } from './headers.js'
import type { Webhooks } from './webhooks.js'

/**
 * Does the work that an event asks for. What it returns is waited for; when it throws or rejects,
 * the service is asked to deliver again.
 */
export type WebhookHandler = (event: Event) => unknown

/** What a receiver does beyond verifying and handling. */
export interface WebhookHandlerOptions {
  /**
   * Remembers what was handled, so that a repeated delivery is not handled again.
   *
   * @default none: every delivery is handled
   */
  store?: DedupeStore | undefined
  /**
   * Told why a delivery was not handled: a `WebhookVerificationError`, what the handler or the store
   * has thrown, or why the body could not be read. It is not waited for, and its own errors are
   * ignored. The sender never learns the reason.
   *
   * @default console.error
   */
  onError?: ((error: unknown) => void) | undefined
}

/** A request, before its body is read. */
export interface Incoming {
  method: string | undefined
  headers: WebhookHeaders
  /** Reads the body, but no more than `maxBytes` of it. */
  read(maxBytes: number): Promise<WebhookBody>
}

/** An answer, which has no body. */
export interface Answer {
  status: number
  headers: Record<string, string>
}

/** Makes what all receivers share; it never rejects. */
export function createReceiver(
  webhooks: Webhooks,
  handle: WebhookHandler,
  options: WebhookHandlerOptions = {},
): (incoming: Incoming) => Promise<Answer> {
  const store = options.store ?? forgetful
  const onError = options.onError ?? logError

  async function report(error: unknown): Promise<void> {
    try {
      await onError(error)
    } catch {}
  }

  async function receive({ headers, read }: Incoming): Promise<number> {
    let event: Event
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

  /** Throws what the store throws. */
  async function handleOnce(event: Event): Promise<number> {
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

  return async (incoming): Promise<Answer> => {
    if (incoming.method === 'POST') return { status: await receive(incoming), headers: {} }
    return { status: WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED, headers: { allow: 'POST' } }
  }
}

/** Stands in where there is no store. */
const forgetful: DedupeStore = {
  begin: () => ({ state: 'new', token: '' }),
  done() {},
  release() {},
}

function logError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: whoever has no hook would look for days for what a 503 hides
  console.error(error)
}
