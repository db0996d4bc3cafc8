import { BaseError } from '../generated/names.js'
import {
  WEBHOOKS_BODY_TIMEOUT_MS,
  WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED,
} from '../generated/policy.js'
import type { WebhookBody } from './body.js'
import type { WebhookHeaders } from './headers.js'
import { requireSize } from './options.js'
import { type WebhookHandler, type WebhookHandlerOptions, WebhookReceiver } from './receive.js'
import type { Webhooks } from './webhooks.js'

/** A request, before its body is read. */
export interface ReceivedRequest {
  method: string | undefined
  headers: WebhookHeaders
  /** Reads the body. Fails beyond `maxBytes`, and with the reason of `signal` when it aborts. */
  read(maxBytes: number, signal: AbortSignal): Promise<WebhookBody>
}

/** The response to a delivery. It has no body. */
export interface ReceiverResponse {
  status: number
  headers: Record<string, string>
}

/** Makes the part that all receivers of requests share. Its promise never rejects. */
export function createReceiver(
  webhooks: Webhooks,
  handler: WebhookHandler,
  options: WebhookHandlerOptions = {},
): (request: ReceivedRequest) => Promise<ReceiverResponse> {
  const receiver = new WebhookReceiver(webhooks, handler, options)
  const { bodyTimeout = WEBHOOKS_BODY_TIMEOUT_MS / 1000 } = options
  const seconds = requireSize('bodyTimeout', bodyTimeout ?? 0) ?? 0
  return async ({ method, headers, read }): Promise<ReceiverResponse> => {
    if (method !== 'POST') {
      return { status: WEBHOOKS_RESPONSES_METHOD_NOT_ALLOWED, headers: { allow: 'POST' } }
    }
    const body = withinTime(seconds, (signal) => read(webhooks.maxBodyBytes, signal))
    return { status: await receiver.receive(body, headers), headers: {} }
  }
}

/** How much of a refused body is still read, and for how long, so that the response arrives. */
export const REST_BYTES = 16_777_216
export const REST_MS = 2_000

/** What hooks are told of a sender that hung up. */
export function hungUp(cause?: unknown): BaseError {
  return new BaseError('The sender hung up before the end of the body.', { cause })
}

/** Timers that are set to more fire at once. */
const MAX_MS = 2 ** 31 - 1

async function withinTime<Result>(
  seconds: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const abort = () => {
    controller.abort(new BaseError(`The body did not arrive within ${seconds} seconds.`, {}))
  }
  const timer = seconds > 0 ? setTimeout(abort, Math.min(seconds * 1000, MAX_MS)) : undefined
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
