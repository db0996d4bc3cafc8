import { BaseError } from '../generated/names.js'
import type { WebhookFailure } from '../generated/policy.js'
import { hints } from './hints.js'

/**
 * A delivery that must not be trusted, or a verifier without a secret. Its texts are for your logs,
 * not for the response. They hold no digest, no secret and nothing of the body.
 */
export class WebhookVerificationError extends BaseError {
  /** The first check that failed. */
  readonly code: WebhookFailure
  /** The probable reason and the cure. */
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
