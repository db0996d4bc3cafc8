import { WEBHOOKS_MAX_NESTING, type WebhookFailure } from '../generated/policy.js'
import { parseEvent } from '../generated/signature.js'
import { WebhookVerificationError } from './error.js'
import type { WebhookEvent } from './event.js'
import { latin1 } from './latin1.js'
import { isTimestamp } from './timestamp.js'

// Fatal, and keeps the byte order mark: the parsed text must equal the signed one.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/**
 * The event in an authentic body.
 *
 * @throws {WebhookVerificationError} `invalid_encoding`, `invalid_json`, `invalid_envelope`
 */
export function decodeEvent(bytes: Uint8Array): WebhookEvent {
  // The code of the check that is next.
  let code: WebhookFailure = 'invalid_encoding'
  try {
    const text = decoder.decode(bytes)
    code = 'invalid_json'
    const value = parseEvent(text)
    if (!nestsDeeper(text, WEBHOOKS_MAX_NESTING)) {
      code = 'invalid_envelope'
      // The shape of `data` is not checked: a field of another type must not lose a delivery.
      if (isEnvelope(value)) return value
    }
  } catch {
    // Refused below, like a value that nests too deeply.
  }
  throw new WebhookVerificationError(code)
}

/**
 * Whether the value of the event header is the UTF-8 of a kind. Most platforms decode headers as
 * Latin-1, which keeps the bytes, and Cloudflare Workers as UTF-8.
 */
export function isKind(header: string, kind: string): boolean {
  return header === kind || header === latin1(encoder.encode(kind))
}

/** Whether valid JSON nests deeper, even in a member that a later one overwrites. */
function nestsDeeper(text: string, limit: number): boolean {
  // Nearly all texts have few brackets, which indexOf finds far faster than the scan.
  let rest = limit
  for (const bracket of '[{') {
    for (let i = text.indexOf(bracket); i >= 0 && rest >= 0; i = text.indexOf(bracket, i + 1)) {
      rest--
    }
  }
  if (rest >= 0) return false

  let depth = 0
  let isQuoted = false
  for (let i = 0; i < text.length && depth <= limit; i++) {
    const char = text.charAt(i)
    if (char === '\\') i++
    if (char === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if ('[{'.includes(char)) depth++
    if (']}'.includes(char)) depth--
  }
  return depth > limit
}

function isEnvelope(value: unknown): value is WebhookEvent {
  const { event, id, occurred_at: time, data } = Object(value)
  const isObject = data === Object(data) && !Array.isArray(data)
  return isObject && isText(event) && isText(id) && isText(time) && isTimestamp(time)
}

/** Whether a value is a string that is not empty and has no lone surrogates. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.isWellFormed()
}
