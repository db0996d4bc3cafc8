import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SECRET } from '../../../conformance/webhooks/delivery.ts'
import { Webhooks } from '../../src/webhooks/index.ts'
import { encodings, onEveryCrypto, outcomeOf, signed } from './support.ts'

const encoding = fc.constantFrom(...encodings)
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

onEveryCrypto(() => {
  test('what is signed is verified and read, in every encoding', async () => {
    await fc.assert(
      fc.asyncProperty(envelope, secret, encoding, async (value, key, form) => {
        const body = Buffer.from(JSON.stringify(value))
        const headers = {
          'x-service-signature': signed(body, key, form),
          // As platforms pass on bytes.
          'x-service-event': Buffer.from(value.event).toString('latin1'),
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

  test('spaces and tabs in any number cost no more than linear time', async () => {
    const headers = { 'x-service-signature': `a${' \t'.repeat(1_000_000)}b` }
    const outcome = await outcomeOf(() => new Webhooks(SECRET).unwrap('{}', headers))
    expect(outcome).toEqual({ code: 'malformed_signature' })
  })
})
