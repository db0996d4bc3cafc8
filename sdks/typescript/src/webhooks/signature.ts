import {
  SIGNATURE_ENCODINGS,
  SIGNATURE_PREFIX,
  type SignatureEncoding,
} from '../generated/signature.js'
import { WebhookVerificationError } from './error.js'

/** The digest of a signature header, and how it is written. */
export interface ClaimedSignature {
  readonly digest: string
  readonly encoding: SignatureEncoding
}

// The sender's digest is never decoded, because decoders forgive too much. Ours is encoded like
// theirs, and the texts are compared without padding and without the bit that makes hex lower case.
const forms = {
  hex: { pattern: /^[\da-f]{64}$/i, length: 64, caseBit: 0x20 },
  base64: { pattern: /^[a-z\d+/]{43}=?$/i, length: 43, caseBit: 0 },
  base64url: { pattern: /^[\w-]{43}=?$/, length: 43, caseBit: 0 },
}

const ANY_ALGORITHM = /^[\w-]{1,32}=/

/**
 * Reads a signature header that is trimmed and not empty.
 *
 * @throws {WebhookVerificationError} `malformed_signature`, `unsupported_algorithm`
 */
export function parseSignature(value: string): ClaimedSignature {
  if (value.startsWith(SIGNATURE_PREFIX)) {
    const digest = value.slice(SIGNATURE_PREFIX.length)
    for (const encoding of SIGNATURE_ENCODINGS) {
      if (forms[encoding].pattern.test(digest)) return { digest, encoding }
    }
  } else if (ANY_ALGORITHM.test(value)) throw new WebhookVerificationError('unsupported_algorithm')
  throw new WebhookVerificationError('malformed_signature')
}

/** The index of the first of our digests that is the claimed one, or -1. Compares all of them. */
export function indexOfMatch(claimed: ClaimedSignature, digests: readonly string[]): number {
  const { digest: theirs, encoding } = claimed
  const { length, caseBit } = forms[encoding]
  const differences = digests.map((digest) => {
    let difference = 0
    for (let i = 0; i < length; i++) {
      difference |= (theirs.charCodeAt(i) | caseBit) ^ digest.charCodeAt(i)
    }
    return difference
  })
  return differences.indexOf(0)
}
