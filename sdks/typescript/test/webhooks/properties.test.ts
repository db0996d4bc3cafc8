import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SECRET } from '../../../conformance/webhooks/delivery.ts'
import { type WebhookBody, type WebhookHeaders, Webhooks } from '../../src/webhooks/index.ts'
import { type EncodingName, encodings, onEveryCrypto, outcomeOf, signed } from './support.ts'

// `npm run soak` takes a hundred times as many inputs.
const RUNS = process.env.MODE === 'soak' ? 100_000 : 1_000

const webhookCodes = [
  'payload_too_large',
  'body_already_parsed',
  'missing_signature',
  'duplicate_header',
  'malformed_signature',
  'unsupported_algorithm',
  'signature_mismatch',
  'invalid_encoding',
  'invalid_json',
  'invalid_envelope',
  'event_mismatch',
  'stale_event',
]

const encoding = fc.constantFrom(...(Object.keys(encodings) as EncodingName[]))
const secret = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== '')
const text = fc.string({ unit: 'grapheme', minLength: 1 })

const envelope = fc.record({
  event: text.filter((kind) => !kind.includes(',') && kind === kind.trim()),
  id: text,
  occurred_at: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  data: fc.dictionary(fc.string(), fc.jsonValue()),
})

/** Values that come close to a header. */
const headerValue = fc.oneof(
  fc.anything(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'sha256=,0fAF+/-_ \t') }),
  fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
    .map((hex) => `sha256=${hex}`),
)
const anyHeaders = fc.oneof(
  fc.anything({ withMap: true, withNullPrototype: true, withSet: true, withSparseArray: true }),
  fc.record(
    { 'x-service-signature': headerValue, 'X-Service-Event': headerValue },
    { requiredKeys: [] },
  ),
  fc.array(fc.tuple(fc.constantFrom('x-service-signature', 'x-service-event'), headerValue)),
)
const anyBody = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withTypedArray: true }),
  fc.uint8Array(),
  fc.string({ unit: 'binary' }),
)
/** Bytes that come close to an envelope. */
const anyBytes = fc.oneof(
  fc.uint8Array(),
  fc.json().map((json) => Buffer.from(json)),
  fc.tuple(envelope, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
    const bytes = Buffer.from(JSON.stringify(value))
    bytes[at % bytes.length] = byte
    return bytes
  }),
)

onEveryCrypto(() => {
  test('what is signed is verified and read, in every encoding', async () => {
    await fc.assert(
      fc.asyncProperty(envelope, secret, encoding, async (value, key, form) => {
        const body = Buffer.from(JSON.stringify(value))
        const headers = {
          'x-service-signature': signed(body, key, form),
          'x-service-event': value.event,
        }
        const event = await new Webhooks([`${key}x`, key]).unwrap(body, headers)
        expect(event).toEqual(JSON.parse(body.toString()))
      }),
    )
  })

  test('what sign makes is what the service makes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), secret, async (body, key) => {
        expect(await Webhooks.sign(body, key)).toBe(signed(body, key))
        await new Webhooks(key).verify(body, {
          'x-service-signature': await Webhooks.sign(body, key),
        })
      }),
    )
  })

  test('a body with any byte changed is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (body, at, mask) => {
          const headers = { 'x-service-signature': signed(body, SECRET) }
          const changed = body.map((byte, i) => (i === at % body.length ? byte ^ mask : byte))
          const outcome = await outcomeOf(() => new Webhooks(SECRET).unwrap(changed, headers))
          expect(outcome).toEqual({ code: 'signature_mismatch' })
        },
      ),
    )
  })

  test('nothing that is passed raises anything but the typed error', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, anyHeaders, async (body, headers) => {
        const webhooks = new Webhooks(SECRET, { tolerance: 60 })
        const outcome = await outcomeOf(() =>
          webhooks.unwrap(body as WebhookBody, headers as WebhookHeaders),
        )
        expect(webhookCodes).toContain('code' in outcome ? outcome.code : undefined)
      }),
      { numRuns: RUNS },
    )
  })

  test('nothing that is signed raises anything but the typed error', async () => {
    await fc.assert(
      fc.asyncProperty(anyBytes, async (body) => {
        const headers = { 'x-service-signature': signed(body, SECRET) }
        const outcome = await outcomeOf(() => new Webhooks(SECRET).unwrap(body, headers))
        if ('event' in outcome)
          expect(outcome.event).toEqual(JSON.parse(Buffer.from(body).toString()))
        else expect(outcome.code).toMatch(/^invalid_/)
      }),
      { numRuns: RUNS },
    )
  })

  test('spaces and tabs in any number cost no more than linear time', async () => {
    const headers = { 'x-service-signature': `a${' \t'.repeat(1_000_000)}b` }
    const outcome = await outcomeOf(() => new Webhooks(SECRET).unwrap('{}', headers))
    expect(outcome).toEqual({ code: 'malformed_signature' })
  })
})
