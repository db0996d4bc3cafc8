import { expectTypeOf, test } from 'vitest'
import { type FakeKind, fakeDelivery, fakeEvent } from '../../src/testing/index.ts'
import type {
  ConversationHandoffEvent,
  EventKind,
  UnlistedEvent,
} from '../../src/webhooks/index.ts'

test('a fake event is of the type of its kind', () => {
  expectTypeOf(fakeEvent('conversation.handoff')).toEqualTypeOf<ConversationHandoffEvent>()
  expectTypeOf(fakeEvent('future')).toEqualTypeOf<UnlistedEvent>()
  expectTypeOf<FakeKind>().toEqualTypeOf<EventKind | 'future'>()
})

test('overrides are parts of that type', () => {
  fakeEvent('conversation.handoff', { id: 'evt_2', data: { reason: 'x' } })
  fakeEvent('conversation.message', { data: { message: { author: { name: null } } } })
  fakeEvent('future', { data: { anything: [1] } })
  fakeDelivery('conversation.csat', { secret: 's', overrides: { data: { comment: null } } })

  // @ts-expect-error A kind has its own data.
  fakeEvent('conversation.handoff', { data: { rating: 1 } })
  // @ts-expect-error A field keeps its type.
  fakeDelivery('conversation.csat', { secret: 's', overrides: { data: { rating: 'good' } } })
  // @ts-expect-error There is no such kind.
  fakeEvent('conversation.tagged')
  // @ts-expect-error A delivery is signed.
  fakeDelivery('future', {})
})

test('a delivery is what fetch takes', async () => {
  const delivery = await fakeDelivery('future', { secret: 's', signatureEncoding: 'hex' })
  expectTypeOf(new Request('http://a/', { method: 'POST', ...delivery })).toEqualTypeOf<Request>()
})
