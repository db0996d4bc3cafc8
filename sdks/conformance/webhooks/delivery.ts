import { hintOf, type Mismatch } from './policy.ts'
import { type EncodingName, encodingOf, signed } from './signed.ts'
import type { Vector } from './vectors.ts'

export const SECRET = 'whsec_3hV0c1p2Jt6bqX8d'
export const OTHER_SECRET = 'whsec_7kP4w9s5Ym2rfN0z'

export const envelope = {
  event: 'conversation.handoff',
  id: 'evt_01J2Z91J4S',
  occurred_at: '2026-03-02T09:21:48Z',
  data: {
    conversation_id: 'conv_01J2Z8M3VN',
    reason: 'Il veut parler à quelqu’un 🙋',
    transcript_url: 'http://127.0.0.1:4010/v1/conversations/conv_01J2Z8M3VN',
  },
}

/** The envelope with the given JSON as a field. */
export const withField = (field: keyof typeof envelope, json: string) =>
  JSON.stringify({ ...envelope, [field]: null }).replace(
    `"${field}":null`,
    () => `"${field}":${json}`,
  )
export const withData = (json: string) => withField('data', json)

export interface Change {
  /** An object is written as JSON. */
  body?: Buffer | string | object
  secrets?: string[]
  /** The secret of the sender. */
  signedWith?: string
  encoding?: EncodingName
  /** Derives the header from the valid one; `null` omits the header. */
  signature?: ((right: string) => string) | null
  /** The event header; `null` omits it. */
  event?: string | null
  /** Replaces the two headers. */
  headers?: (signature: string) => [string, string][]
  /** The visible cause of a mismatch. */
  mismatch?: Mismatch
  options?: Pick<Vector, 'tolerance' | 'now' | 'maxBodyBytes'>
}

/** A valid delivery, except for `change`. */
export function delivery(
  id: string,
  result: Vector['result'],
  rule: string,
  change: Change = {},
): Vector {
  const { body = envelope, secrets = [SECRET], signedWith = SECRET } = change
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const right = signed(bytes, signedWith, change.encoding)
  const encoding = encodingOf(change.encoding ?? 'hex')
  return {
    id,
    rule,
    ...(encoding !== 'hex' && { encoding }),
    secrets,
    body: isUtf8(bytes) ? textOf(bytes.toString()) : { base64: bytes.toString('base64') },
    headers: change.headers?.(right) ?? usualHeaders(right, change),
    ...change.options,
    result,
    ...(result !== 'ok' && { hint: hintOf(result, change.mismatch) }),
  }
}

function usualHeaders(right: string, { signature, event }: Change): [string, string][] {
  const headers: [string, string][] = [['content-type', 'application/json']]
  if (signature !== null) headers.push(['x-service-signature', signature?.(right) ?? right])
  if (event !== null) headers.push(['x-service-event', event ?? envelope.event])
  return headers
}

/** Writes long padding as a number of spaces. */
function textOf(text: string): Vector['body'] {
  const utf8 = text.trimEnd()
  const spaces = text.length - utf8.length
  return spaces > 1000 ? { utf8, spaces } : { utf8: text }
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes)
}
