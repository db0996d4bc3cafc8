import {
  SIGNATURE_ENCODINGS,
  SIGNATURE_PREFIX,
  type SignatureEncoding,
} from '../generated/signature.js'
import { WebhookVerificationError } from './error.js'

/** A well-formed signature header. */
export interface ClaimedSignature {
  readonly value: string
  readonly encoding: SignatureEncoding
}

// The sender's digest is never decoded, because decoders forgive too much. Ours is encoded like
// theirs, and the texts are compared without padding and without the bit that makes hex lower case.
const forms = {
  hex: { length: 64, alphabet: /^[\da-f]+$/i, caseBit: 0x20 },
  base64: { length: 43, alphabet: /^[a-z\d+/]+$/i, caseBit: 0 },
  base64url: { length: 43, alphabet: /^[\w-]+$/, caseBit: 0 },
}

const START = SIGNATURE_PREFIX.length
const ANY_ALGORITHM = /^[\w-]{1,32}=/

/**
 * Reads a signature header that is trimmed and not empty.
 *
 * @throws {WebhookVerificationError} `malformed_signature`, `unsupported_algorithm`
 */
export function parseSignature(value: string): ClaimedSignature {
  if (value.startsWith(SIGNATURE_PREFIX)) {
    const isPadded = value.length === START + 44 && value.endsWith('=')
    const digest = value.slice(START, isPadded ? -1 : undefined)
    for (const encoding of SIGNATURE_ENCODINGS) {
      const { length, alphabet } = forms[encoding]
      if (digest.length === length && alphabet.test(digest)) return { value, encoding }
    }
  } else if (ANY_ALGORITHM.test(value)) throw new WebhookVerificationError('unsupported_algorithm')
  throw new WebhookVerificationError('malformed_signature')
}

/** Whether one of our digests is the claimed one. Takes equally long for every result. */
export function matches(claimed: ClaimedSignature, digests: readonly string[]): boolean {
  const { value, encoding } = claimed
  const { length, caseBit } = forms[encoding]
  let matching = 0
  for (const digest of digests) {
    let difference = 0
    for (let i = 0; i < length; i++) {
      difference |= (value.charCodeAt(START + i) | caseBit) ^ digest.charCodeAt(i)
    }
    matching |= Number(difference === 0)
  }
  return matching === 1
}
