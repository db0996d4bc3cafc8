import { createHash, createHmac } from 'node:crypto'
import { SIGNATURE_HEADER } from './facts.ts'
import { valuesOf } from './signatures.ts'
import type { Delivery, Finding, Secret } from './types.ts'

interface Mistake extends Finding {
  /** The digests that a sender gets who makes this mistake. */
  digests(body: Buffer, secret: string, delivery: Delivery): Buffer[]
}

const hmac = (key: string | Buffer, message: string | Buffer, algorithm = 'sha256') =>
  createHmac(algorithm, key).update(message).digest()
const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const withoutPrefix = (secret: string) => secret.trim().replace(/^whsec_/, '')

/**
 * How senders sign wrongly. No verifier can be asked for these, since none makes such digests; they
 * are for programs that sign by themselves, in a test or by hand.
 */
export const MISTAKES: readonly Mistake[] = [
  {
    name: 'hashed_without_key',
    text: 'The digest is the plain SHA-256 of the body: the secret had no part in it. Sign with HMAC-SHA256 and the secret as its key.',
    digests: (body) => [sha256(body)],
  },
  {
    name: 'hashed_with_secret',
    text: 'The digest is the SHA-256 of the secret and the body put together. Sign with HMAC-SHA256 and the secret as its key.',
    digests: (body, secret) => [sha256(secret, body), sha256(body, secret)],
  },
  {
    name: 'hmac_swapped',
    text: 'Key and message were swapped: the secret was signed with the body. The secret is the key.',
    digests: (body, secret) => [hmac(body, secret)],
  },
  {
    name: 'hmac_other_hash',
    text: 'The digest is an HMAC with the right key, but of SHA-1, SHA-384 or SHA-512. Sign with HMAC-SHA256.',
    digests: (body, secret) => ['sha1', 'sha384', 'sha512'].map((name) => hmac(secret, body, name)),
  },
  {
    name: 'secret_decoded_base64',
    text: 'The key was the secret decoded as base64. The secret is the key as it stands, as UTF-8 text, its prefix included.',
    digests: (body, secret) =>
      [secret, withoutPrefix(secret)].map((text) => hmac(Buffer.from(text, 'base64'), body)),
  },
  {
    name: 'secret_decoded_hex',
    text: 'The key was the secret decoded as hex. The secret is the key as it stands, as UTF-8 text, its prefix included.',
    digests: (body, secret) =>
      [secret, withoutPrefix(secret)].map((text) => hmac(Buffer.from(text, 'hex'), body)),
  },
  {
    name: 'header_signed_too',
    text: 'A header was signed together with the body. Sign the bytes of the body alone.',
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
  text: 'The digest begins right but is cut off or garbled. Write all 32 bytes: 64 digits of hex, or 43 characters of base64.',
}
const ENCODED_TWICE: Finding = {
  name: 'digest_encoded_twice',
  text: 'The digest was written as hex and that text as base64. Write the bytes of the digest in one of the two.',
}

/** Too few bytes to be a beginning by more than chance. */
const SHORTEST = 8

/** The mistake that leads to the digest that was sent, if it is a known one. */
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

/** The bytes that a value may stand for, whatever it says of itself. */
function digestsIn(value: string): Buffer[] {
  const text = value.replace(/^[\w-]{1,32}[=:]/, '').trim()
  return [Buffer.from(text, 'hex'), Buffer.from(text, 'base64')]
}
