import { type EventKind, eventKinds, type KnownEvent } from '../generated/events.js'
import { BaseError } from '../generated/names.js'
import { requireHandler } from './options.js'
import type { WebhookHandler } from './receive.js'

/** The event of a kind. */
export type EventOf<Kind extends EventKind> = Extract<KnownEvent, { event: Kind }>

/**
 * A handler that calls another one for each kind of event. It ignores events of the other kinds, which
 * then count as handled.
 *
 * @example
 * const router = new WebhookRouter()
 *   .on('thing.archived', async ({ data }) => remove(data.id))
 *   .otherwise(async (event) => log(event.event))
 * createServer(webhookHandler(webhooks, router.handle))
 */
export class WebhookRouter {
  readonly #handlers = new Map<string, (event: never) => unknown>()
  #otherwise: WebhookHandler | undefined

  /**
   * Adds the handler of a kind.
   *
   * @throws when the kind has one or is not in the contract, or the handler is no function
   */
  on<Kind extends EventKind>(kind: Kind, handler: (event: EventOf<Kind>) => unknown): this {
    if (this.#handlers.has(kind)) throw new BaseError(`${kind} already has a handler.`)
    if (!eventKinds.includes(kind)) {
      throw new BaseError(
        `There is no kind ${kind}, only ${eventKinds.join(', ')}. Handle a newer kind in otherwise().`,
      )
    }
    requireHandler(handler)
    this.#handlers.set(kind, handler)
    return this
  }

  /**
   * Adds the handler of all other events, and of kinds that are newer than this package.
   *
   * @throws when there is one, or the handler is no function
   */
  otherwise(handler: WebhookHandler): this {
    if (this.#otherwise) throw new BaseError('otherwise() already has a handler.')
    requireHandler(handler)
    this.#otherwise = handler
    return this
  }

  /** The handler for a receiver. It is bound, and returns what the handler of the kind returns. */
  readonly handle: WebhookHandler = (event) => {
    const handler = this.#handlers.get(event.event) ?? this.#otherwise
    return handler?.(event as never)
  }
}
