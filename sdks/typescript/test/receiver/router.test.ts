import { expect, test, vi } from 'vitest'
import { BaseError } from '../../src/generated/names.ts'
import { fakeDelivery, fakeEvent } from '../../src/testing/index.ts'
import {
  eventKinds,
  type WebhookEvent,
  WebhookReceiver,
  WebhookRouter,
  Webhooks,
} from '../../src/webhooks/index.ts'

const secret = 'whsec_test'
const [first, second] = eventKinds as [WebhookEvent['event'], WebhookEvent['event']]
const event = (kind: string) => fakeEvent(kind as 'future') as WebhookEvent

test('each kind reaches its own handler, in a receiver', async () => {
  const seen: string[] = []
  const router = new WebhookRouter()
  for (const kind of eventKinds) router.on(kind, (event) => seen.push(`${kind} ${event.event}`))
  const receiver = new WebhookReceiver(new Webhooks(secret), router.handle)
  for (const kind of eventKinds) {
    const { body, headers } = await fakeDelivery(kind, { secret })
    expect(await receiver.receive(body, headers)).toBe(204)
  }
  expect(seen).toEqual(eventKinds.map((kind) => `${kind} ${kind}`))
})

test('a kind without a handler, and one of tomorrow, reach the fallback', async () => {
  const otherwise = vi.fn()
  const { handle } = new WebhookRouter().on(first as never, () => {}).otherwise(otherwise)
  handle(event(second))
  handle(event('future'))
  expect(otherwise.mock.calls).toEqual([[event(second)], [event('future')]])
})

test('without a fallback they are ignored, and count as handled', async () => {
  const onError = vi.fn()
  const receiver = new WebhookReceiver(new Webhooks(secret), new WebhookRouter().handle, {
    onError,
  })
  const { body, headers } = await fakeDelivery('future', { secret })
  expect(await receiver.receive(body, headers)).toBe(204)
  expect(onError).not.toHaveBeenCalled()
})

test('what a handler returns or throws is passed on', async () => {
  const { handle } = new WebhookRouter()
    .on(first as never, async () => Promise.reject(new Error('no')))
    .otherwise(() => 7)
  await expect(handle(event(first))).rejects.toThrow('no')
  expect(handle(event(second))).toBe(7)
})

test('a kind that is registered twice is an error at once', () => {
  const router = new WebhookRouter().on(first as never, () => {}).otherwise(() => {})
  expect(() => router.on(first as never, () => {})).toThrow(BaseError)
  expect(() => router.on(first as never, () => {})).toThrow(`${first} already has a handler.`)
  expect(() => router.otherwise(() => {})).toThrow('otherwise() already has a handler.')
})

test.each(['conversation.hando', 'constructor'])('%s is no kind of the contract', (kind) => {
  expect(() => new WebhookRouter().on(kind as never, () => {})).toThrow(
    new BaseError(
      `There is no kind ${kind}, only ${eventKinds.join(', ')}. Handle a newer kind in otherwise().`,
    ),
  )
})

test('a handler that is no function is an error at once', () => {
  const error = new BaseError('The handler is not a function.')
  expect(() => new WebhookRouter().on(first as never, undefined as never)).toThrow(error)
  expect(() => new WebhookRouter().otherwise(undefined as never)).toThrow(error)
})

test.each(['__proto__', 'constructor', 'toString'])(
  'an event of kind %s finds no handler',
  (kind) => {
    const otherwise = vi.fn()
    const { handle } = new WebhookRouter().on(first as never, () => {}).otherwise(otherwise)
    const strange = { ...event('future'), event: kind } as WebhookEvent
    handle(strange)
    expect(otherwise.mock.calls).toEqual([[strange]])
  },
)
