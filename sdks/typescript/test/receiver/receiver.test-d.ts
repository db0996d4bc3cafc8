import { createServer, type RequestListener } from 'node:http'
import express from 'express'
import { expectTypeOf, test } from 'vitest'
import { webhookHandler as fetchHandler } from '../../src/webhooks/fetch.ts'
import {
  type DedupeStore,
  MemoryDedupeStore,
  type WebhookEvent,
  type Webhooks,
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
