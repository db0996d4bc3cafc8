import { describe, expect, test } from 'vitest'
import { envelope, OTHER_SECRET, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { type WebhookFailure, type WebhookHeaders, Webhooks } from '../../src/webhooks/index.ts'
import { onEveryCrypto, refusalOf, signed } from './support.ts'

/** All that a delivery is made of, so that faults can be laid one upon another. */
interface Parts {
  envelope: Record<string, unknown>
  write: (text: string) => string
  encode: (text: string) => Buffer
  signature: (body: Buffer) => string | undefined
  events: string[]
  body: (bytes: Buffer) => unknown
  options: { tolerance?: number; maxBodyBytes?: number }
}

/** In the order in which they are checked; a later fault leaves room for every earlier one. */
const faults: [code: WebhookFailure, spoil: (parts: Parts) => void][] = [
  ['payload_too_large', (parts) => Object.assign(parts.options, { maxBodyBytes: 10 })],
  ['body_already_parsed', (parts) => Object.assign(parts, { body: () => parts.envelope })],
  ['missing_signature', (parts) => Object.assign(parts, { signature: () => undefined })],
  ['duplicate_header', (parts) => parts.events.push(envelope.event)],
  ['malformed_signature', (parts) => Object.assign(parts, { signature: () => 'sha256=no' })],
  ['unsupported_algorithm', (parts) => Object.assign(parts, { signature: () => 'sha1=00' })],
  [
    'signature_mismatch',
    (parts) => Object.assign(parts, { signature: (body: Buffer) => signed(body, OTHER_SECRET) }),
  ],
  [
    'invalid_encoding',
    (parts) =>
      Object.assign(parts, {
        encode: (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xff])]),
      }),
  ],
  ['invalid_json', (parts) => Object.assign(parts, { write: (text: string) => `${text}]` })],
  ['invalid_envelope', (parts) => Object.assign(parts.envelope, { id: '' })],
  ['event_mismatch', (parts) => parts.events.splice(0, 1, 'knowledge.indexed')],
  [
    'stale_event',
    (parts) => {
      parts.envelope.occurred_at = '2020-01-01T00:00:00Z'
      parts.options.tolerance = 60
    },
  ],
]

/** Two that cannot meet in one delivery. */
const exclusive = new Set([
  'payload_too_large body_already_parsed',
  'malformed_signature unsupported_algorithm',
])

const pairs = faults
  .flatMap(([first], i) => faults.slice(i + 1).map(([second]) => [first, second] as const))
  .filter((pair) => !exclusive.has(pair.join(' ')))

async function codeWith(spoilt: readonly WebhookFailure[]): Promise<WebhookFailure> {
  const parts: Parts = {
    envelope: { ...envelope },
    write: (text) => text,
    encode: (text) => Buffer.from(text),
    signature: (body) => signed(body, SECRET),
    events: [envelope.event],
    body: (bytes) => bytes,
    options: {},
  }
  // The earlier fault is laid on last, so that it wins where both touch the same part.
  for (const [code, spoil] of faults.toReversed()) if (spoilt.includes(code)) spoil(parts)
  const bytes = parts.encode(parts.write(JSON.stringify(parts.envelope)))
  const headers: WebhookHeaders = {
    'x-service-signature': parts.signature(bytes),
    'x-service-event': parts.events,
  }
  const webhooks = new Webhooks(SECRET, { ...parts.options, now: () => Date.parse('2026-03-02') })
  const { code } = await refusalOf(() => webhooks.unwrap(parts.body(bytes) as Buffer, headers))
  return code
}

onEveryCrypto(() => {
  test.each(faults)('%s is found alone', async (code) => {
    expect(await codeWith([code])).toBe(code)
  })

  test.each(pairs)('%s is found before %s', async (first, second) => {
    expect(await codeWith([first, second])).toBe(first)
  })
})

describe('a secret that is missing', () => {
  test('is found at construction, before there is a delivery', () => {
    expect(() => new Webhooks([])).toThrow(expect.objectContaining({ code: 'missing_secret' }))
  })
})
