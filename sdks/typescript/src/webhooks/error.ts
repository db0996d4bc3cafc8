import { BaseError } from '../generated/names.js'
import { WEBHOOKS_HINTS, WEBHOOKS_REFUSALS, type WebhookFailure } from '../generated/policy.js'

/**
 * A delivery that must not be trusted, or a verifier without a secret. Its texts are for your logs,
 * not for the response. They hold no digest, no secret and nothing of the body.
 */
export class WebhookVerificationError extends BaseError {
  declare readonly outcome: undefined
  /** The first check that failed. */
  readonly code: WebhookFailure
  /** The status that a receiver returns. The service delivers again only after a 5xx. */
  readonly status: number
  /** The probable reason and the cure. */
  readonly hint: string

  constructor(code: WebhookFailure, hint: string = WEBHOOKS_HINTS[code]) {
    super(`${hint} (${code})`, {})
    this.code = code
    this.status = WEBHOOKS_REFUSALS[code]
    this.hint = hint
  }

  override get name(): string {
    return 'WebhookVerificationError'
  }
}
