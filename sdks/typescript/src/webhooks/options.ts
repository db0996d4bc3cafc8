import { BaseError } from '../generated/names.js'
import { WebhookVerificationError } from './error.js'

/**
 * The secrets as a list.
 *
 * @throws {WebhookVerificationError} `missing_secret`
 */
export function requireSecrets(secrets: string | readonly string[]): string[] {
  const list = [secrets].flat()
  // Programs without types pass undefined too, from an unset environment variable.
  if (list[0] && list.every((secret) => typeof secret === 'string' && !BLANK.test(secret)))
    return list
  throw new WebhookVerificationError('missing_secret')
}

// The white space of all languages: WEBHOOKS_BLANK_CHARACTERS, in fewer bytes.
const SPACE = '[\\s\\x1c-\\x1f\\x85]'
const BLANK = new RegExp(`^${SPACE}*$`)
const PADDED = new RegExp(`^${SPACE}|${SPACE}$`)

/** Whether a secret begins or ends with white space. */
export function isPadded(secret: string): boolean {
  return PADDED.test(secret)
}

/** A number of 0 or more, or `undefined` where the option is left out. */
export function requireSize(option: string, value: number | undefined): number | undefined {
  // Programs without types pass null too.
  if (value == null || value >= 0) return value
  throw new BaseError(`${option} must be 0 or more.`)
}

/** Programs without types may pass none, or a router instead of its `handle`: no event would be handled. */
export function requireHandler(handler: unknown): void {
  if (typeof handler !== 'function') throw new BaseError('The handler is not a function.')
}
