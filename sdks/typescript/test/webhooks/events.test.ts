import { expect, test } from 'vitest'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { samples } from '../../src/generated/samples.ts'
import { eventKinds, isUnknownEvent, Webhooks } from '../../src/webhooks/index.ts'

async function received(change: object) {
  const body = JSON.stringify({ ...envelope, ...change })
  return new Webhooks(SECRET).unwrap(body, {
    'x-service-signature': await Webhooks.sign(body, SECRET),
  })
}

test('every kind that has a sample is listed', () => {
  expect(Object.keys(samples)).toEqual([...eventKinds, 'future'])
})

test.each(eventKinds)('%s is known', async (event) => {
  expect(isUnknownEvent(await received({ event }))).toBe(false)
})

test.each(['conversation.merged', 'Conversation.handoff', 'toString', '__proto__'])(
  '%s is unknown and keeps its data as it came',
  async (event) => {
    const data = { conversation_id: 'conv_1', into: ['conv_2'], at: null }
    const unknown = await received({ event, data, added: true })
    expect(isUnknownEvent(unknown)).toBe(true)
    expect(unknown).toEqual({ ...envelope, event, data, added: true })
  },
)

test('a known kind keeps data that lacks fields, has others or has them in other types', async () => {
  const data = { reason: 7, queue: { id: 'q_1' } }
  const event = await received({ data })
  expect(isUnknownEvent(event)).toBe(false)
  expect(event.data).toEqual(data)
})
