import { expect, test, vi } from 'vitest'
import { envelope, OTHER_SECRET, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { WEBHOOKS_BLANK_CHARACTERS } from '../../src/generated/policy.ts'
import { Webhooks, WebhookVerificationError } from '../../src/webhooks/index.ts'
import { onEveryCrypto, refusalOf, signed } from './support.ts'

const body = Buffer.from(JSON.stringify(envelope))
const headers = (secret: string, of = body) => ({ 'x-service-signature': signed(of, secret) })

onEveryCrypto(() => {
  test.each([
    [0, OTHER_SECRET],
    [1, SECRET],
  ])('the hook is told that secret %i signed a delivery', async (index, secret) => {
    const onVerified = vi.fn()
    const webhooks = new Webhooks([OTHER_SECRET, SECRET, SECRET], { onVerified })
    await webhooks.unwrap(body, headers(secret))
    await webhooks.verify(body, headers(secret))
    expect(onVerified.mock.calls).toEqual([[index], [index]])
  })

  test('the hook is told before the body is decoded, and of no other delivery', async () => {
    const onVerified = vi.fn()
    const webhooks = new Webhooks(SECRET, { onVerified })
    const broken = Buffer.from('{')
    await expect(webhooks.unwrap(broken, headers(SECRET, broken))).rejects.toThrow('invalid_json')
    expect(onVerified.mock.calls).toEqual([[0]])
    await expect(webhooks.unwrap(body, headers(OTHER_SECRET))).rejects.toThrow('signature_mismatch')
    expect(onVerified).toHaveBeenCalledOnce()
  })
})

test.each([
  [
    'throws',
    () => {
      throw new Error('hook')
    },
  ],
  ['rejects', () => Promise.reject(new Error('hook'))],
  ['never ends', () => new Promise(() => {})],
] as const)('a hook that %s changes nothing', async (_, onVerified) => {
  const webhooks = new Webhooks(SECRET, { onVerified })
  expect(await webhooks.unwrap(body, headers(SECRET))).toEqual(envelope)
})

test('white space is what the policy lists, and nothing else', async () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => unit)
  const blank = units.filter((unit) => {
    try {
      return !new Webhooks(String.fromCharCode(unit))
    } catch (error) {
      return error instanceof WebhookVerificationError
    }
  })
  expect(blank).toEqual(WEBHOOKS_BLANK_CHARACTERS)
  for (const unit of blank) {
    const secret = `${SECRET}${String.fromCharCode(unit)}`
    const { hint } = await refusalOf(() => new Webhooks(secret).verify(body, headers(SECRET)))
    expect(hint).toContain('white space')
  }
})

test.each([
  ['разговор', 'разговор', true],
  ['ÑÐ°Ð·', 'разг', false],
  [Buffer.from('café').toString('latin1'), 'café', true],
  // As Cloudflare Workers decode it. Elsewhere this is Latin-1, which no header of the service is.
  ['café', 'café', true],
])('the header %j names the kind %j: %s', async (header, event, isSame) => {
  const sent = Buffer.from(JSON.stringify({ ...envelope, event }))
  const pair = { ...headers(SECRET, sent), 'x-service-event': header }
  const outcome = new Webhooks(SECRET).unwrap(sent, pair)
  await (isSame
    ? expect(outcome).resolves.toMatchObject({ event })
    : expect(outcome).rejects.toThrow('event_mismatch'))
})
