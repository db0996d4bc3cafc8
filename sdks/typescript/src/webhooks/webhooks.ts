import { WEBHOOKS_MAX_BODY_BYTES } from '../generated/policy.js'
import type { WebhookBody } from './body.js'
import { decodeEvent, isKind } from './decode.js'
import { type Delivery, readDelivery } from './delivery.js'
import { WebhookVerificationError } from './error.js'
import type { WebhookEvent } from './event.js'
import type { WebhookHeaders } from './headers.js'
import { mismatchHint } from './hints.js'
import { createKeyring, type Keyring } from './keyring.js'
import { isPadded, requireSecrets, requireSize } from './options.js'
import { sign } from './sign.js'
import { indexOfMatch } from './signature.js'
import { instantOf } from './timestamp.js'

/** The options of a verifier. */
export interface WebhooksOptions {
  /**
   * Seconds by which `occurred_at` may differ from now. Leave it out unless you accept that retries,
   * which come many hours after `occurred_at`, are refused.
   *
   * @default undefined, which accepts any time
   */
  tolerance?: number | undefined
  /**
   * The clock, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: (() => number) | undefined
  /**
   * The size limit of a body, in bytes.
   *
   * @default 1_048_576
   */
  maxBodyBytes?: number | undefined
  /**
   * Receives the index of the secret that signed a delivery, from 0, before the body is decoded. Of
   * equal secrets it is the first. Use it to end a rotation: when the old secret has not signed for a
   * day, remove it. It is not awaited, and its errors are ignored.
   *
   * @default none
   */
  onVerified?: ((secretIndex: number) => unknown) | undefined
}

/**
 * Verifies the signatures of deliveries, and reads their events.
 *
 * @example
 * const webhooks = new Webhooks(secret)
 * const event = await webhooks.unwrap(await request.arrayBuffer(), request.headers)
 * if (!isUnknownEvent(event)) handle(event)
 */
export class Webhooks {
  /** The size limit of a body, in bytes. */
  readonly maxBodyBytes: number
  readonly #keyring: Keyring
  readonly #hasPaddedSecret: boolean
  readonly #tolerance: number | undefined
  readonly #now: () => number
  readonly #onVerified: ((secretIndex: number) => unknown) | undefined

  /**
   * @param secrets The signing secret of the endpoint, or during a rotation all that are in use.
   * @throws {WebhookVerificationError} `missing_secret`
   */
  constructor(secrets: string | readonly string[], options: WebhooksOptions = {}) {
    const list = requireSecrets(secrets)
    this.#keyring = createKeyring(list)
    this.#hasPaddedSecret = list.some(isPadded)
    this.#tolerance = requireSize('tolerance', options.tolerance)
    this.#now = options.now ?? Date.now
    this.#onVerified = options.onVerified
    this.maxBodyBytes = requireSize('maxBodyBytes', options.maxBodyBytes) ?? WEBHOOKS_MAX_BODY_BYTES
  }

  /**
   * Verifies a delivery and returns its event. A kind that is newer than this package is an
   * `UnknownEvent`. After a change of the service, fields of `data` may be missing or of another type.
   *
   * @param body The raw body, neither parsed nor serialized again.
   * @throws {WebhookVerificationError} for every delivery that must not be trusted
   */
  async unwrap(body: WebhookBody, headers: WebhookHeaders): Promise<WebhookEvent> {
    const delivery = readDelivery(body, headers, this.maxBodyBytes)
    let { bytes } = delivery
    const pending = this.#authenticate(delivery)
    if (pending) {
      // A copy, so that the bytes that are read are those that were hashed. node:crypto is synchronous.
      bytes = bytes.slice()
      await pending
    }
    const event = decodeEvent(bytes)
    if (delivery.kind !== undefined && !isKind(delivery.kind, event.event)) {
      throw new WebhookVerificationError('event_mismatch')
    }
    if (!this.#isFresh(event)) throw new WebhookVerificationError('stale_event')
    return event
  }

  /**
   * Verifies the signature of a delivery, but neither its form nor its age.
   *
   * @param body The raw body, neither parsed nor serialized again.
   * @throws {WebhookVerificationError} up to `signature_mismatch`
   */
  async verify(body: WebhookBody, headers: WebhookHeaders): Promise<void> {
    return this.#authenticate(readDelivery(body, headers, this.maxBodyBytes))
  }

  /**
   * Signs a body as the service does.
   *
   * @returns The whole value of the signature header.
   * @throws {WebhookVerificationError} `missing_secret`, `body_already_parsed`
   */
  static async sign(body: WebhookBody, secret: string): Promise<string> {
    return sign(body, secret)
  }

  #authenticate({ bytes, claimed }: Delivery): void | Promise<void> {
    const compare = (digests: string[]) => {
      const index = indexOfMatch(claimed, digests)
      if (index >= 0) return void this.#tell(index)
      throw new WebhookVerificationError(
        'signature_mismatch',
        mismatchHint(bytes, this.#hasPaddedSecret),
      )
    }
    const digests = this.#keyring(bytes, claimed.encoding)
    return Array.isArray(digests) ? compare(digests) : digests.then(compare)
  }

  #isFresh({ occurred_at }: WebhookEvent): boolean {
    if (this.#tolerance == null) return true
    // In whole milliseconds, as in every language.
    const age = Math.floor(this.#now()) - instantOf(occurred_at)
    return Math.abs(age) <= Math.round(this.#tolerance * 1000)
  }

  async #tell(secretIndex: number): Promise<void> {
    try {
      await this.#onVerified?.(secretIndex)
    } catch {}
  }
}
