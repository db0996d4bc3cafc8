import { WEBHOOKS_HINTS } from '../generated/policy.js'
import { WebhookVerificationError } from './error.js'

/** A raw body: bytes in any of JavaScript's forms, or text that is encoded as UTF-8. */
export type WebhookBody = string | ArrayBufferLike | ArrayBufferView

// The cures are those of JavaScript's frameworks. Parsers of Express and NestJS stop at 100 kB.
export const NOT_RAW = `${WEBHOOKS_HINTS.body_already_parsed} Express: express.raw({ type: 'application/json', limit: '1mb' }). NestJS: rawBody: true, limit: '1mb'. Next.js: bodyParser: false. Fastify: webhooks/fastify.`

const encoder = new TextEncoder()

/**
 * The bytes of `body`. Copies nothing where it is bytes already.
 *
 * @throws {WebhookVerificationError} `payload_too_large`, `body_already_parsed`
 */
export function bytesOf(body: WebhookBody, maxBytes: number): Uint8Array {
  // No character is shorter than a byte, so that a text beyond the limit need not be encoded.
  const tooLong = typeof body === 'string' && body.length > maxBytes
  const bytes = tooLong ? undefined : toBytes(body)
  if (!bytes || bytes.byteLength > maxBytes) {
    throw new WebhookVerificationError('payload_too_large')
  }
  return bytes
}

function toBytes(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body)
  try {
    // DataView accepts only buffers, those of other realms too. The new view has none of the methods
    // that user code may have replaced.
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(body) ? body : new DataView(body)
    return new Uint8Array(buffer, byteOffset, byteLength)
  } catch {
    throw new WebhookVerificationError('body_already_parsed', NOT_RAW)
  }
}
