import { BaseError } from '../generated/names.js'
import type { WebhookFailure } from '../generated/policy.js'
import { hints } from './hints.js'

/**
 * A delivery that must not be trusted, or a verifier without a secret. Its texts hold no digest,
 * no secret and nothing of the body. They are for your logs: do not answer the sender with them.
 */
export class WebhookVerificationError extends BaseError {
  /** The first rule that was broken. */
  readonly code: WebhookFailure
  /** What is probably wrong, and what to do about it. */
  readonly hint: string

  constructor(code: WebhookFailure, hint: string = hints[code]) {
    super(`${hint} (${code})`)
    this.code = code
    this.hint = hint
  }

  override get name(): string {
    return 'WebhookVerificationError'
  }
}
