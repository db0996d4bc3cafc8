import { BaseError } from '../generated/names.js'
import {
  WEBHOOKS_RESPONSES_DUPLICATE,
  WEBHOOKS_RESPONSES_FAILED,
  WEBHOOKS_RESPONSES_HANDLED,
  WEBHOOKS_RESPONSES_IN_PROGRESS,
} from '../generated/policy.js'
import { bytesOf, NOT_RAW, type WebhookBody } from './body.js'
import type { DedupeStore } from './dedupe.js'
import { WebhookVerificationError } from './error.js'
import type { WebhookEvent } from './event.js'
import { headerValues, type WebhookHeaders } from './headers.js'
import { requireHandler } from './options.js'
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
   * Receives the reason why a delivery was not handled: a `WebhookVerificationError`, the error of the
   * handler, the store or the body, or the news that the event is in progress elsewhere. It is not
   * awaited, and its own errors are ignored. The response never holds the reason.
   *
   * @default console.error
   */
  onError?: ((error: unknown) => void) | undefined
  /**
   * Seconds in which the whole body must arrive. The response to a slower sender is 503, so that the
   * service delivers the event again. 0 or null waits for ever.
   *
   * @default 15
   */
  bodyTimeout?: number | null | undefined
}

/** The options of a receiver that is passed the body. */
export type WebhookReceiverOptions = Omit<WebhookHandlerOptions, 'bodyTimeout'>

/**
 * Receives deliveries for any framework: verifies each, passes its event to `handler`, and says which
 * status to respond with.
 *
 * @example
 * const receiver = new WebhookReceiver(new Webhooks(secret), async (event) => save(event))
 * response.statusCode = await receiver.receive(rawBody, request.headers)
 */
export class WebhookReceiver {
  readonly #webhooks: Webhooks
  readonly #handle: WebhookHandler
  readonly #store: DedupeStore
  readonly #onError: (error: unknown) => unknown

  /** @throws {Error} where the handler is no function */
  constructor(webhooks: Webhooks, handler: WebhookHandler, options: WebhookReceiverOptions = {}) {
    requireHandler(handler)
    this.#webhooks = webhooks
    this.#handle = handler
    this.#store = options.store ?? noStore
    this.#onError = options.onError ?? logError
  }

  /**
   * The status of the response to a POST, which has no body. The promise never rejects.
   *
   * @param body The raw body, or its promise. When that rejects, the service delivers the event again.
   */
  async receive(
    body: WebhookBody | PromiseLike<WebhookBody>,
    headers: WebhookHeaders,
  ): Promise<number> {
    let event: WebhookEvent
    try {
      const bytes = bytesOf(await body, this.#webhooks.maxBodyBytes)
      requireBody(bytes, headers)
      event = await this.#webhooks.unwrap(bytes, headers)
    } catch (error) {
      this.#report(error)
      return error instanceof WebhookVerificationError ? error.status : WEBHOOKS_RESPONSES_FAILED
    }
    try {
      return await this.#handleOnce(event)
    } catch (error) {
      this.#report(error)
      return WEBHOOKS_RESPONSES_FAILED
    }
  }

  /** Throws the errors of the store. */
  async #handleOnce(event: WebhookEvent): Promise<number> {
    const lease = await this.#store.begin(event.id)
    switch (lease.state) {
      case 'done':
        return WEBHOOKS_RESPONSES_DUPLICATE
      case 'in_progress':
        this.#report(inProgress(event.id, lease.holder))
        return WEBHOOKS_RESPONSES_IN_PROGRESS
      case 'new':
        return this.#handleNew(event, lease.token)
      default:
        throw new BaseError('The dedupe store returned no state that a receiver knows.', {})
    }
  }

  async #handleNew(event: WebhookEvent, token: string): Promise<number> {
    try {
      await this.#handle(event)
    } catch (error) {
      this.#report(error)
      await this.#store.release(event.id, token)
      return WEBHOOKS_RESPONSES_FAILED
    }
    await this.#store.done(event.id, token)
    return WEBHOOKS_RESPONSES_HANDLED
  }

  async #report(error: unknown): Promise<void> {
    try {
      await this.#onError(error)
    } catch {}
  }
}

/**
 * Refuses an empty body that its sender did not announce as empty. Other code has probably read it.
 *
 * @throws {WebhookVerificationError} `body_already_parsed`
 */
function requireBody(bytes: Uint8Array, headers: WebhookHeaders): void {
  if (bytes.length > 0) return
  const [length = ''] = headerValues(headers, 'content-length', '')
  if (!/^0+$/.test(length)) throw new WebhookVerificationError('body_already_parsed', NOT_RAW)
}

function inProgress(id: string, holder = 'another process'): BaseError {
  return new BaseError(`${id} is being handled by ${holder}. The service delivers it again.`, {})
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
