import { describe, expect, test } from 'vitest'
import { SupportChatError } from '../../src/generated/names.ts'
import { SIGNATURE_ENCODINGS } from '../../src/generated/signature.ts'
import { type FakeKind, fakeDelivery, fakeEvent } from '../../src/testing/index.ts'
import { webhookHandler } from '../../src/webhooks/fetch.ts'
import {
  eventKinds,
  isUnknownEvent,
  Webhooks,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import { onEveryCrypto, signed } from '../webhooks/support.ts'

const secret = 'whsec_test'
const webhooks = new Webhooks(secret)
const kinds: readonly FakeKind[] = [...eventKinds, 'future']

describe.each(kinds)('a fake %s', (kind) => {
  test('is an event of that kind', () => {
    const event = fakeEvent(kind)
    expect(event).toMatchObject({ id: expect.stringMatching(/^evt_/), data: expect.anything() })
    expect(isUnknownEvent(event)).toBe(kind === 'future')
    if (kind !== 'future') expect(event.event).toBe(kind)
  })

  onEveryCrypto(() => {
    test.each(SIGNATURE_ENCODINGS)(
      'is delivered as the service does it, in %s',
      async (signatureEncoding) => {
        const { body, headers } = await fakeDelivery(kind, { secret, signatureEncoding })
        expect(headers).toEqual({
          'content-type': 'application/json',
          'x-service-signature': signed(Buffer.from(body), secret, signatureEncoding),
          'x-service-event': fakeEvent(kind).event,
        })
        expect(await webhooks.unwrap(body, headers)).toEqual(fakeEvent(kind))
      },
    )
  })

  test('is the same each time, and shares nothing', async () => {
    const first = fakeEvent(kind)
    first.data = {} as never
    expect(fakeEvent(kind)).not.toEqual(first)
    expect(fakeEvent(kind)).toEqual(fakeEvent(kind))
    const deliveries = await Promise.all([1, 2].map(() => fakeDelivery(kind, { secret })))
    expect(deliveries[0]).toEqual(deliveries[1])
  })
})

test('a delivery is what a receiver takes', async () => {
  const events: unknown[] = []
  const receive = webhookHandler(webhooks, (event) => events.push(event))
  const delivery = await fakeDelivery('conversation.csat', { secret })
  const request = new Request('http://localhost/', { method: 'POST', ...delivery })
  expect((await receive(request)).status).toBe(204)
  expect(events).toEqual([fakeEvent('conversation.csat')])
})

test('a digest is written in hex where nothing else is said', async () => {
  const { headers } = await fakeDelivery('future', { secret })
  expect(headers['x-service-signature']).toMatch(/^sha256=[\da-f]{64}$/)
})

test('the future has an unknown kind, field and value', () => {
  const event = fakeEvent('future')
  expect(event.event).toBe('future.event')
  expect(event).toHaveProperty('future_field')
  expect(event.data).toHaveProperty('future_field')
  expect(JSON.stringify(event.data)).toContain('"future_value"')
})

describe('overrides', () => {
  const original = fakeEvent('conversation.handoff')

  test('reach the whole envelope, and leave the rest', () => {
    const event = fakeEvent('conversation.handoff', { id: 'evt_2', data: { reason: 'x' } })
    expect(event).toEqual({ ...original, id: 'evt_2', data: { ...original.data, reason: 'x' } })
  })

  test('reach the delivery, and its event header too', async () => {
    const overrides = { event: 'a.b' as never, id: 'evt_2' }
    const { body, headers } = await fakeDelivery('future', { secret, overrides })
    expect(headers['x-service-event']).toBe('a.b')
    expect(await webhooks.unwrap(body, headers)).toMatchObject(overrides)
  })

  test('hold a null where null is meant, and nothing where undefined is given', () => {
    const given = { id: undefined, data: { comment: null } }
    const event = fakeEvent('conversation.csat', given)
    expect(event.data.comment).toBeNull()
    expect(event.id).toBe(fakeEvent('conversation.csat').id)
  })

  test('replace lists as a whole', () => {
    const before = fakeEvent('future', { data: { list: [1, 2, { a: 1 }] } })
    expect(before.data.list).toEqual([1, 2, { a: 1 }])
    expect(fakeEvent('future', { data: { list: [] } }).data.list).toEqual([])
    expect(fakeEvent('future', { data: { conversation: [1] } }).data.conversation).toEqual([1])
  })

  test('are neither changed nor shared', () => {
    const overrides = Object.freeze({ data: Object.freeze({ list: Object.freeze([{ a: 1 }]) }) })
    const event = fakeEvent('future', overrides)
    ;(event.data.list as unknown[]).push(2)
    expect(overrides).toEqual({ data: { list: [{ a: 1 }] } })
  })

  test('may have any name', () => {
    const data = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2},"toString":3}')
    const event = fakeEvent('future', { data })
    expect(Object.entries(event.data)).toEqual(expect.arrayContaining(Object.entries(data)))
    expect(Object.getPrototypeOf(event.data)).toBe(Object.prototype)
  })
})

describe('what there is not', () => {
  test.each(['conversation.tagged', '', '__proto__', 'toString'])(
    'the kind %j is refused',
    (kind) => {
      const make = () => fakeEvent(kind as FakeKind)
      expect(make).toThrow(SupportChatError)
      expect(make).toThrow(
        `There is no kind ${JSON.stringify(kind)}, only ${[...eventKinds, 'future'].join(', ')}.`,
      )
    },
  )

  test('a kind or an encoding rejects the delivery', async () => {
    await expect(fakeDelivery('a.b' as FakeKind, { secret })).rejects.toThrow(/There is no kind/)
    const signatureEncoding = 'utf8' as never
    await expect(fakeDelivery('future', { secret, signatureEncoding })).rejects.toThrow(
      `There is no signatureEncoding "utf8", only ${SIGNATURE_ENCODINGS.join(', ')}.`,
    )
  })

  test.each(['', ' ', undefined as never])('the secret %j rejects the delivery', async (blank) => {
    const made = fakeDelivery('future', { secret: blank })
    await expect(made).rejects.toThrow(WebhookVerificationError)
    await expect(made).rejects.toMatchObject({ code: 'missing_secret' })
  })
})
