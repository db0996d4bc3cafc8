import type { IncomingHttpHeaders } from 'node:http'
import { expectTypeOf, test } from 'vitest'
import type { samples } from '../../src/generated/samples.ts'
import {
  type ConversationCsatData,
  type ConversationCsatEvent,
  type ConversationHandoffData,
  type ConversationMessageEvent,
  type EventKind,
  isUnknownEvent,
  type KnownEvent,
  type Message,
  type UnknownEvent,
  type UnlistedEvent,
  type WebhookEvent,
  type WebhookFailure,
  type WebhookHeaders,
  Webhooks,
  type WebhookVerificationError,
} from '../../src/webhooks/index.ts'

declare const event: WebhookEvent

test('comparing the kind types the data, although a kind may be unknown', () => {
  if (event.event === 'conversation.handoff') {
    expectTypeOf(event.data).toEqualTypeOf<ConversationHandoffData>()
    expectTypeOf(event.data.reason).toEqualTypeOf<string>()
  }
})

test('a switch types the data of each kind and leaves the other kinds', () => {
  switch (event.event) {
    case 'conversation.csat':
      expectTypeOf(event.data).toEqualTypeOf<ConversationCsatData>()
      break
    case 'conversation.message':
      expectTypeOf(event.data.message).toEqualTypeOf<Message>()
      break
    default:
      expectTypeOf(event).toEqualTypeOf<
        Exclude<KnownEvent, ConversationCsatEvent | ConversationMessageEvent> | UnlistedEvent
      >()
  }
})

test('only unknown events are left after all kinds', () => {
  type Left<Event> = Event extends { event: EventKind } ? never : Event
  expectTypeOf<Left<WebhookEvent>>().toEqualTypeOf<UnlistedEvent>()
  expectTypeOf<UnlistedEvent['data']>().toEqualTypeOf<Record<string, unknown>>()
})

test('the guard distinguishes unknown events from known ones', () => {
  if (isUnknownEvent(event)) expectTypeOf(event).toEqualTypeOf<UnlistedEvent>()
  else expectTypeOf(event).toEqualTypeOf<KnownEvent>()
})

// events.test.ts compares the keys of `samples` with `eventKinds`.
test('every kind is listed', () => {
  expectTypeOf<keyof typeof samples>().toEqualTypeOf<EventKind | 'future'>()
})

test('a kind that does not exist cannot be compared', () => {
  // @ts-expect-error no event is of this kind
  if (event.event === 'conversation.handof') return
})

test('a kind that is newer than the package can be compared as a string', () => {
  const kind: string = event.event
  if (isUnknownEvent(event) && kind === 'future.event') {
    expectTypeOf(event.data).toEqualTypeOf<Record<string, unknown>>()
  }
})

test('an unknown event can be made by hand, and handled like one that was received', () => {
  const made: UnknownEvent = { event: 'a.b', id: 'evt_1', occurred_at: '', data: { any: 1 } }
  const onUnknown = (_: UnknownEvent) => {}
  onUnknown(made)
  if (isUnknownEvent(event)) onUnknown(event)
})

test('the envelope is typed for every event', () => {
  expectTypeOf(event.id).toEqualTypeOf<string>()
  expectTypeOf(event.occurred_at).toEqualTypeOf<string>()
})

test('the verifier takes what frameworks hand over', () => {
  const webhooks = new Webhooks(['a', 'b'] as const, { tolerance: 60, now: Date.now })
  expectTypeOf(webhooks.unwrap).returns.resolves.toEqualTypeOf<WebhookEvent>()
  expectTypeOf(webhooks.verify).returns.resolves.toEqualTypeOf<void>()
  expectTypeOf(Webhooks.sign).toBeCallableWith(Buffer.from(''), 'secret')
  expectTypeOf<IncomingHttpHeaders>().toExtend<WebhookHeaders>()
  expectTypeOf<NodeJS.Dict<string[]>>().toExtend<WebhookHeaders>()
  expectTypeOf<Headers>().toExtend<WebhookHeaders>()
  expectTypeOf<Map<string, string>>().toExtend<WebhookHeaders>()
  expectTypeOf<[string, string][]>().toExtend<WebhookHeaders>()
  // @ts-expect-error a parsed body
  webhooks.unwrap({ event: 'conversation.handoff' }, {})
  // @ts-expect-error a secret that may not be set
  new Webhooks(process.env.SECRET)
})

test('an error has a code of a closed list', () => {
  expectTypeOf<WebhookVerificationError['code']>().toEqualTypeOf<WebhookFailure>()
  expectTypeOf<WebhookVerificationError['hint']>().toEqualTypeOf<string>()
  expectTypeOf<'stale_event'>().toExtend<WebhookFailure>()
})
