import { createHash, createHmac } from 'node:crypto'
import { SIGNATURE_HEADER } from './facts.ts'
import { valuesOf } from './signatures.ts'
import type { Delivery, Finding, Secret } from './types.ts'

interface Mistake extends Finding {
  /** The digests that this mistake produces. */
  digests(body: Buffer, secret: string, delivery: Delivery): Buffer[]
}

const hmac = (key: string | Buffer, message: string | Buffer, algorithm = 'sha256') =>
  createHmac(algorithm, key).update(message).digest()
const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const withoutPrefix = (secret: string) => secret.trim().replace(/^whsec_/, '')

/**
 * Mistakes of senders. The verifier cannot find them, since it never makes such digests. They help
 * people whose own programs sign, in a test or by hand.
 */
export const MISTAKES: readonly Mistake[] = [
  {
    name: 'hashed_without_key',
    text: 'The digest is the plain SHA-256 of the body, without the secret. Sign with HMAC-SHA256 and the secret as its key.',
    digests: (body) => [sha256(body)],
  },
  {
    name: 'hashed_with_secret',
    text: 'The digest is the SHA-256 of the secret and the body concatenated. Sign with HMAC-SHA256 and the secret as its key.',
    digests: (body, secret) => [sha256(secret, body), sha256(body, secret)],
  },
  {
    name: 'hmac_swapped',
    text: 'The key and the message are swapped. Sign the body with the secret as the key.',
    digests: (body, secret) => [hmac(body, secret)],
  },
  {
    name: 'hmac_other_hash',
    text: 'The digest is an HMAC with the right key, but with SHA-1, SHA-384 or SHA-512. Sign with HMAC-SHA256.',
    digests: (body, secret) => ['sha1', 'sha384', 'sha512'].map((name) => hmac(secret, body, name)),
  },
  {
    name: 'secret_decoded_base64',
    text: 'The key is the secret decoded as base64. Use the secret unchanged, as UTF-8 text with its prefix.',
    digests: (body, secret) =>
      [secret, withoutPrefix(secret)].map((text) => hmac(Buffer.from(text, 'base64'), body)),
  },
  {
    name: 'secret_decoded_hex',
    text: 'The key is the secret decoded as hex. Use the secret unchanged, as UTF-8 text with its prefix.',
    digests: (body, secret) =>
      [secret, withoutPrefix(secret)].map((text) => hmac(Buffer.from(text, 'hex'), body)),
  },
  {
    name: 'header_signed_too',
    text: 'A header was signed together with the body. Sign only the bytes of the body.',
    digests: (body, secret, { headers }) =>
      headers.flatMap(([, value]) =>
        ['', '.', ':', '\n'].map((mark) =>
          hmac(secret, Buffer.concat([Buffer.from(value.trim() + mark), body])),
        ),
      ),
  },
]

const TRUNCATED: Finding = {
  name: 'digest_cut',
  text: 'The digest starts correctly but is truncated or corrupted. Write all 32 bytes: 64 hex digits, or 43 base64 characters.',
}
const ENCODED_TWICE: Finding = {
  name: 'digest_encoded_twice',
  text: 'The digest was encoded as hex, and then as base64. Encode its bytes once.',
}

/** The shortest prefix of a digest that is more than chance, in bytes. */
const SHORTEST = 8

/** The known mistake that leads to the received digest, if there is one. */
export function findMistake(delivery: Delivery, secrets: readonly Secret[]): Finding | undefined {
  const sent = valuesOf(delivery.headers, SIGNATURE_HEADER).flatMap(digestsIn)
  for (const { value: secret } of secrets.filter(({ value }) => value !== '')) {
    const right = hmac(secret, delivery.body)
    if (sent.some((digest) => digest.equals(Buffer.from(right.toString('hex'))))) {
      return ENCODED_TWICE
    }
    const isBeginning = (digest: Buffer) =>
      digest.length >= SHORTEST && right.subarray(0, digest.length).equals(digest)
    if (sent.some((digest) => digest.length < right.length && isBeginning(digest))) return TRUNCATED
    for (const { name, text, digests } of MISTAKES) {
      const made = digests(delivery.body, secret, delivery)
      if (made.some((wrong) => sent.some((digest) => digest.equals(wrong)))) return { name, text }
    }
  }
  return undefined
}

/** The bytes that a value may encode, its label aside. */
function digestsIn(value: string): Buffer[] {
  const text = value.replace(/^[\w-]{1,32}[=:]/, '').trim()
  return [Buffer.from(text, 'hex'), Buffer.from(text, 'base64')]
}
