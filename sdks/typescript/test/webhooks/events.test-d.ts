import type { IncomingHttpHeaders } from 'node:http'
import { expectTypeOf, test } from 'vitest'
import {
  type ConversationCsatData,
  type ConversationHandoffData,
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

test('a switch types the data of each kind and leaves the unknown ones', () => {
  switch (event.event) {
    case 'conversation.csat':
      expectTypeOf(event.data).toEqualTypeOf<ConversationCsatData>()
      break
    case 'conversation.message':
      expectTypeOf(event.data.message).toEqualTypeOf<Message>()
      break
    case 'conversation.created':
    case 'conversation.handoff':
    case 'conversation.resolved':
    case 'knowledge.indexed':
      break
    default:
      expectTypeOf(event).toEqualTypeOf<UnlistedEvent>()
      expectTypeOf(event.data).toEqualTypeOf<Record<string, unknown>>()
  }
})

test('the guard distinguishes unknown events from known ones', () => {
  if (isUnknownEvent(event)) expectTypeOf(event).toEqualTypeOf<UnlistedEvent>()
  else expectTypeOf(event).toEqualTypeOf<KnownEvent>()
})

test('every kind is listed', () => {
  expectTypeOf<EventKind>().toEqualTypeOf<
    | 'conversation.created'
    | 'conversation.message'
    | 'conversation.handoff'
    | 'conversation.resolved'
    | 'conversation.csat'
    | 'knowledge.indexed'
  >()
})

test('a kind that does not exist cannot be compared', () => {
  // @ts-expect-error no event is of this kind
  if (event.event === 'conversation.handof') return
})

test('a kind that is newer than the package can be compared as a string', () => {
  const kind: string = event.event
  if (isUnknownEvent(event) && kind === 'conversation.archived') {
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
