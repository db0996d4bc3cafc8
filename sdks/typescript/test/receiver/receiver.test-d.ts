import { createServer, type RequestListener } from 'node:http'
import express from 'express'
import { expectTypeOf, test } from 'vitest'
import { webhookHandler as fetchHandler } from '../../src/webhooks/fetch.ts'
import {
  type ConversationHandoffEvent,
  type DedupeStore,
  type KnowledgeIndexedData,
  MemoryDedupeStore,
  type WebhookEvent,
  WebhookReceiver,
  WebhookRouter,
  type Webhooks,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import { webhookHandler as nodeHandler, type WebhookHandler } from '../../src/webhooks/node.ts'

declare const webhooks: Webhooks

test('a receiver is what servers take', () => {
  const listener = nodeHandler(webhooks, () => {})
  expectTypeOf(listener).toExtend<RequestListener>()
  createServer(listener)
  express().post('/', listener)
  expectTypeOf(fetchHandler(webhooks, () => {})).toEqualTypeOf<
    (request: Request) => Promise<Response>
  >()
})

test('a handler is passed the event, and may return anything', () => {
  nodeHandler(webhooks, (event) => {
    expectTypeOf(event).toEqualTypeOf<WebhookEvent>()
  })
  expectTypeOf<(event: WebhookEvent) => Promise<number>>().toExtend<WebhookHandler>()
})

test('a route is passed the event of its kind', () => {
  const router = new WebhookRouter()
    .on('conversation.handoff', (event) => {
      expectTypeOf(event).toEqualTypeOf<ConversationHandoffEvent>()
    })
    .on('knowledge.indexed', async ({ data }) => {
      expectTypeOf(data).toEqualTypeOf<KnowledgeIndexedData>()
    })
    .otherwise((event) => {
      expectTypeOf(event).toEqualTypeOf<WebhookEvent>()
    })
  nodeHandler(webhooks, router.handle)
  // @ts-expect-error There is no such kind.
  router.on('conversation.handof', () => {})
})

test('a receiver resolves to a status', () => {
  const receiver = new WebhookReceiver(webhooks, () => {}, { store: new MemoryDedupeStore() })
  expectTypeOf(receiver.receive('', new Headers())).toEqualTypeOf<Promise<number>>()
  receiver.receive(new Request('').arrayBuffer(), {})
  expectTypeOf(new WebhookVerificationError('invalid_json').status).toEqualTypeOf<number>()
})

test('a store may be synchronous or not', () => {
  expectTypeOf(new MemoryDedupeStore()).toExtend<DedupeStore>()
  const later: DedupeStore = {
    begin: async () => ({ state: 'new', token: 't' }),
    done: async () => {},
    release: async () => {},
  }
  fetchHandler(webhooks, () => {}, { store: later, onError: (error: unknown) => error })
  // @ts-expect-error A new lease has a token.
  const careless: DedupeStore = { ...later, begin: () => ({ state: 'new' }) }
  fetchHandler(webhooks, () => {}, { store: careless })
})
