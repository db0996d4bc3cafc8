import { WEBHOOKS_MAX_NESTING } from '../generated/policy.js'
import { parseEvent } from '../generated/signature.js'
import { WebhookVerificationError } from './error.js'
import type { WebhookEvent } from './event.js'
import { isTimestamp } from './timestamp.js'

// Fatal, and keeps the byte order mark: the parsed text must equal the signed one.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The event in an authentic body.
 *
 * @throws {WebhookVerificationError} `invalid_encoding`, `invalid_json`, `invalid_envelope`
 */
export function decodeEvent(bytes: Uint8Array): WebhookEvent {
  const envelope = parseJSON(decodeText(bytes))
  // The shape of `data` is not checked: a field of another type must not lose a delivery.
  if (isEnvelope(envelope)) return envelope
  throw new WebhookVerificationError('invalid_envelope')
}

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new WebhookVerificationError('invalid_encoding')
  }
}

function parseJSON(text: string): unknown {
  try {
    const value = parseEvent(text)
    if (!isContainer(value) || !nestsDeeper(value, WEBHOOKS_MAX_NESTING)) return value
  } catch {
    // Refused below, like a value that nests too deeply.
  }
  throw new WebhookVerificationError('invalid_json')
}

/** Walks the value and not its text: a scan in JavaScript would be far slower. */
function nestsDeeper(value: object, limit: number): boolean {
  if (limit === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isContainer(item) && nestsDeeper(item, limit - 1)) return true
    return false
  }
  for (const key in value) {
    const item: unknown = value[key as keyof typeof value]
    if (isContainer(item) && nestsDeeper(item, limit - 1)) return true
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isEnvelope(value: unknown): value is WebhookEvent {
  if (!isObject(value)) return false
  const { event, id, occurred_at, data } = value
  return (
    isText(event) && isText(id) && isText(occurred_at) && isTimestamp(occurred_at) && isObject(data)
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
