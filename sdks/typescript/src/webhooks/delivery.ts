import { SIGNATURE_EVENT_HEADER, SIGNATURE_HEADER } from '../generated/signature.js'
import { bytesOf, type WebhookBody } from './body.js'
import { WebhookVerificationError } from './error.js'
import { headerValues, type WebhookHeaders } from './headers.js'
import { type ClaimedSignature, parseSignature } from './signature.js'

/** A well-formed request whose signature is not checked yet. */
export interface Delivery {
  readonly bytes: Uint8Array
  readonly claimed: ClaimedSignature
  /** The value of the event header, if there is one. */
  readonly kind: string | undefined
}

/**
 * Reads the parts of a request that need no secret.
 *
 * @throws {WebhookVerificationError} `payload_too_large` to `unsupported_algorithm`
 */
export function readDelivery(
  body: WebhookBody,
  headers: WebhookHeaders,
  maxBodyBytes: number,
): Delivery {
  const bytes = bytesOf(body, maxBodyBytes)
  const [claimed, kind] = headerValues(headers, SIGNATURE_HEADER, SIGNATURE_EVENT_HEADER)
  if (!claimed) throw new WebhookVerificationError('missing_signature')
  // Neither value has a comma by itself.
  if (claimed.includes(',') || kind?.includes(',')) {
    throw new WebhookVerificationError('duplicate_header')
  }
  return { bytes, claimed: parseSignature(claimed), kind }
}
