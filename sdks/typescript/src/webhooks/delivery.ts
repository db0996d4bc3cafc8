import { SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER } from '../generated/signature.js'
import { bytesOf, type WebhookBody } from './body.js'
import { WebhookVerificationError } from './error.js'
import { headerValues, type WebhookHeaders } from './headers.js'
import { type ClaimedSignature, parseSignature } from './signature.js'

/** A request whose form is right and whose signature is still to be checked. */
export interface Delivery {
  readonly bytes: Uint8Array
  readonly claimed: ClaimedSignature
  /** The kind that the event header names; `undefined` where the header is absent. */
  readonly kind: string | undefined
}

/**
 * Reads all that can be known without a secret.
 *
 * @throws {WebhookVerificationError} `payload_too_large` to `unsupported_algorithm`
 */
export function readDelivery(
  body: WebhookBody,
  headers: WebhookHeaders,
  maxBodyBytes: number,
): Delivery {
  const bytes = bytesOf(body, maxBodyBytes)
  const values = headerValues(headers, [SIGNATURE_HEADER, SIGNATURE_EVENT_HEADER])
  const claimed = values[SIGNATURE_HEADER]
  const kind = values[SIGNATURE_EVENT_HEADER]
  if (!claimed) throw new WebhookVerificationError('missing_signature')
  // Neither value has a comma of itself.
  if (claimed.includes(',') || kind?.includes(',')) {
    throw new WebhookVerificationError('duplicate_header')
  }
  return { bytes, claimed: parseSignature(claimed), kind }
}
