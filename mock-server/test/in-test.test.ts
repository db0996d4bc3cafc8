/** The whole control API as functions of `createMockServer`. */
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import type { MockServer, MockServerOptions } from '../src/index.ts'
import { createMockServer } from './mock.ts'
import { receiver as startReceiver } from './receiver.ts'

async function begin(options: MockServerOptions = {}): Promise<MockServer> {
  const mock = await createMockServer(options)
  onTestFinished(() => mock.close())
  return mock
}

async function receiving(...given: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...given)
  onTestFinished(() => receiver.close())
  return receiver
}

const list = (mock: MockServer) =>
  mock.fetch('/v1/conversations', { headers: { authorization: `Bearer ${mock.apiKey}` } })

it('fails the next request in one line', async () => {
  const mock = await begin()
  await mock.fail({ path: '/v1/conversations', status: 429, retryAfter: 2, times: 1 })
  const response = await list(mock)
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('2')
  expect((await list(mock)).status).toBe(200)
  expect(await mock.faults()).toMatchObject([{ left: 0, failed: 1 }])
  await mock.clearFaults()
  expect(await mock.faults()).toEqual([])
  expect(await mock.requests({ status: '4xx' })).toMatchObject([{ path: '/v1/conversations' }])
})

it('says what is wrong with a rule', async () => {
  const mock = await begin()
  await expect(mock.fail({ path: '/conversations' })).rejects.toThrow(
    'Did you mean /v1/conversations?',
  )
  await expect(mock.fail({ status: 200 })).rejects.toThrow('/status')
})

it('plays visitors and agents', async () => {
  const receiver = await receiving()
  const mock = await begin({ empty: true, webhooks: [{ url: receiver.url }] })
  const { id } = await mock.conversations.create({ text: 'Hello?', name: 'Ada' })
  await mock.conversations.say(id, 'Is anybody there?')
  await mock.conversations.handoff(id, 'The visitor asked for a human.')
  await mock.conversations.say(id, 'I am.', { author: 'agent', name: 'Sam' })
  await mock.conversations.resolve(id)
  await mock.conversations.csat(id, 5, 'Quick.')
  const kinds = (await mock.events()).map(({ event }) => event).reverse()
  expect(kinds).toEqual([
    'conversation.created',
    'conversation.message',
    'conversation.message',
    'conversation.handoff',
    'conversation.message',
    'conversation.resolved',
    'conversation.csat',
  ])
  await expect(mock.conversations.resolve(id)).rejects.toThrow('is already resolved')
  await mock.deliveries()
  expect(receiver.received).toHaveLength(kinds.length)
})

it('holds deliveries back, and sends them in another order', async () => {
  const receiver = await receiving()
  const mock = await begin({ webhooks: [{ url: receiver.url }] })
  await mock.pause()
  const first = await mock.trigger('conversation.created')
  const second = await mock.trigger('conversation.resolved', {}, { copies: 2 })
  await mock.trigger('future')
  const [future, copy] = await mock.deliveries()
  await mock.cancel(copy?.id ?? '')
  expect(await mock.retryNow(future?.id ?? '')).toMatchObject({ state: 'succeeded' })
  await mock.resume('reverse')
  const arrived = receiver.received.map(({ body }) => JSON.parse(body))
  expect(arrived.map(({ event }) => event)[0]).toBe('future.event')
  expect(arrived.slice(1).map(({ id }) => id)).toEqual([second.id, first.id])
})

it('disables an endpoint, and rotates its secret', async () => {
  const receiver = await receiving()
  const mock = await begin({ webhooks: [{ url: receiver.url, secret: 'old' }] })
  const [endpoint] = mock.endpoints
  const { secret } = await mock.rotate(endpoint?.id ?? '')
  expect(mock.endpoints).toMatchObject([{ secret }])
  expect(secret).not.toBe('old')
  await mock.disable(endpoint?.id ?? '')
  await mock.trigger('conversation.resolved')
  expect(await mock.deliveries()).toEqual([])
  await mock.enable(endpoint?.id ?? '')
  await mock.trigger('conversation.resolved')
  expect(await mock.deliveries()).toMatchObject([{ state: 'succeeded' }])
})

it('goes back to a snapshot, with its endpoints and their secrets', async () => {
  const receiver = await receiving()
  const mock = await begin({ webhooks: [{ url: receiver.url }] })
  await mock.snapshot('base')
  const endpoints = structuredClone(mock.endpoints)
  await mock.rotate(endpoints[0]?.id ?? '')
  await mock.addEndpoint({ url: receiver.url })
  await mock.conversations.create({ text: 'Lost.' })
  await mock.restore('base')
  expect(mock.endpoints).toEqual(endpoints)
  expect(await mock.events()).toEqual([])
  await expect(mock.restore('other')).rejects.toThrow('Use one of: base.')
})

it('takes the data of the example in the package', async () => {
  const seed = fileURLToPath(new URL('../seeds/shop.yaml', import.meta.url))
  const mock = await begin({ seed })
  const { data } = await (await list(mock)).json()
  expect(data.map(({ status }: { status: string }) => status)).toEqual(['handed_off', 'resolved'])
})

it('takes its data as an object', async () => {
  const conversation = {
    id: 'conv_1',
    status: 'open',
    created_at: '2026-11-20T10:00:00Z',
    updated_at: '2026-11-20T10:00:00Z',
    transcript: [],
    handoff: null,
  }
  const mock = await begin({ seed: { conversations: [conversation] } })
  expect((await (await list(mock)).json()).data).toMatchObject([{ id: 'conv_1' }])
  const broken = { conversations: [{ ...conversation, status: 'lost' }] }
  await expect(createMockServer({ seed: broken })).rejects.toThrow(/^seed:\d+:\d+: .*status/)
  const twice = { conversations: [conversation, conversation] }
  await expect(createMockServer({ seed: twice })).rejects.toThrow('appears twice')
})
