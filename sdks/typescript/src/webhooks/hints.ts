import type { WebhookFailure } from '../generated/policy.js'
import {
  SIGNATURE_EVENT_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_PREFIX,
} from '../generated/signature.js'

/** The probable reason and the cure of each code. */
export const hints: Readonly<Record<WebhookFailure, string>> = {
  missing_secret: 'A secret is missing or blank.',
  payload_too_large: 'The body exceeds maxBodyBytes.',
  body_already_parsed:
    "Pass the raw body. Express: express.raw({ type: 'application/json' }) before express.json(). Next.js: bodyParser: false, or request.arrayBuffer(). NestJS: rawBody: true. Fastify: parseAs: 'buffer'.",
  missing_signature: `${SIGNATURE_HEADER} is missing. Pass all headers of the request.`,
  duplicate_header: `${SIGNATURE_HEADER} or ${SIGNATURE_EVENT_HEADER} is repeated.`,
  malformed_signature: `${SIGNATURE_HEADER} is not ${SIGNATURE_PREFIX} and a digest.`,
  unsupported_algorithm: `${SIGNATURE_HEADER} does not begin with ${SIGNATURE_PREFIX}.`,
  signature_mismatch:
    'The secret is of another endpoint, or the body is not raw: parsed and written again.',
  invalid_encoding: 'The body is not UTF-8.',
  invalid_json: 'The body is not JSON, too deep or begins with a byte order mark.',
  invalid_envelope: 'event, id, occurred_at or data is missing or malformed.',
  event_mismatch: `${SIGNATURE_EVENT_HEADER} is not the event of the body.`,
  stale_event: 'occurred_at is beyond the tolerance; retries come hours later.',
}

/** The probable reason of a mismatch, judged by the body and the secrets. */
export function mismatchHint(body: Uint8Array, hasPaddedSecret: boolean): string {
  const start = String.fromCharCode(...body.subarray(0, 64))
  if (hasPaddedSecret) return 'A secret begins or ends with white space.'
  if (start.startsWith('\xef\xbb\xbf')) return 'The body begins with a byte order mark.'
  if (/^[\w+/-]+=*$/.test(start)) {
    return 'The body is base64 (AWS Lambda: isBase64Encoded).'
  }
  return hints.signature_mismatch
}
