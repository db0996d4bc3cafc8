/** From an event in a sandbox to the request that a receiver gets, over real connections. */
import { eventKinds, Webhooks } from '@support-chat/sdk/webhooks'
import { afterEach, describe, expect, it } from 'vitest'
import type { MockServer, MockServerOptions } from '../src/index.ts'
import { KIND } from './kinds.ts'
import { createMockServer } from './mock.ts'
import { type Receiver, receiver, responding } from './receiver.ts'

let mock: MockServer
let target: Receiver
afterEach(async () => {
  await mock?.close()
  await target?.close()
})

async function start(respond = responding(204), options: MockServerOptions = {}) {
  target = await receiver(respond)
  mock = await createMockServer({ webhooks: [{ url: `${target.url}/hook` }], ...options })
}
const secret = (index = 0) => mock.endpoints[index]?.secret ?? ''
const control = (path: string, body: object = {}) =>
  mock.fetch(`/_mock/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('an event', () => {
  it.each(eventKinds)('of %s is verified by the SDK', async (kind) => {
    await start()
    const envelope = await mock.trigger(kind)
    await target.until(1)
    const [{ body, headers }] = target.received as [(typeof target.received)[0]]
    const event = await new Webhooks(secret()).unwrap(body, headers)
    expect(event).toMatchObject({ id: envelope.id, event: kind })
    expect(JSON.parse(body)).toEqual(envelope)
  })

  it.each(['base64', 'base64url'] as const)('is signed in %s on request', async (encoding) => {
    await start(responding(204), { signatureEncoding: encoding })
    await mock.trigger('conversation.resolved')
    await target.until(1)
    const [{ body, headers }] = target.received as [(typeof target.received)[0]]
    await new Webhooks(secret()).unwrap(body, headers)
    expect(headers['x-service-signature']).not.toBe(await Webhooks.sign(body, secret()))
  })

  it('shows what each attempt sent, so that its signature can be verified', async () => {
    await start(responding(503))
    await mock.trigger('conversation.resolved')
    const id = (await mock.deliveries())[0]?.id
    const old = secret()
    const rotated = await (await control(`endpoints/${mock.endpoints[0]?.id}/rotate`)).json()
    await mock.advance('PT1H')
    const shown = await (await mock.fetch(`/_mock/deliveries/${id}`)).json()
    expect(shown.url).toBe(`${target.url}/hook`)
    for (const [index, used] of [old, rotated.secret].entries()) {
      const { request, duration_ms } = shown.attempts[index]
      expect(duration_ms).toBeGreaterThan(0)
      expect(target.received[index]?.headers).toMatchObject(request.headers)
      expect(request.body).toBe(target.received[index]?.body)
      await new Webhooks(used).verify(request.body, request.headers)
    }
  })

  it('goes to the endpoints that want its kind', async () => {
    await start()
    await mock.addEndpoint({ url: `${target.url}/csat`, events: [KIND] })
    await mock.trigger('conversation.resolved')
    await mock.trigger(KIND)
    const deliveries = await mock.deliveries()
    expect(deliveries.every(({ state }) => state === 'succeeded')).toBe(true)
    expect(target.received.map(({ path }) => path).sort()).toEqual(['/csat', '/hook', '/hook'])
  })

  it('that fails is attempted five times with the same text, then dead', async () => {
    await start(responding(500, 'no'))
    const envelope = await mock.trigger('conversation.resolved')
    await mock.advance('PT24H')
    expect(target.received).toHaveLength(5)
    expect(new Set(target.received.map(({ body }) => body)).size).toBe(1)
    const [delivery] = await mock.deliveries({ state: 'dead' })
    expect(delivery).toMatchObject({ event_id: envelope.id, kind: 'conversation.resolved' })
    expect(delivery?.attempts.map(({ status, body }) => [status, body])).toEqual(
      Array(5).fill([500, 'no']),
    )
  })

  it('is signed with the newest secret after a rotation, on retries too', async () => {
    await start(responding(503))
    const old = secret()
    await mock.trigger('conversation.resolved')
    await mock.deliveries()
    const rotated = await (await control(`endpoints/${mock.endpoints[0]?.id}/rotate`)).json()
    expect(rotated.secret).not.toBe(old)
    await mock.advance('PT1H')
    const [first, second] = target.received
    if (!first || !second) throw new Error('there were fewer than two attempts')
    await new Webhooks(old).verify(first.body, first.headers)
    await new Webhooks(rotated.secret).verify(second.body, second.headers)
    await expect(new Webhooks(old).verify(second.body, second.headers)).rejects.toThrow()
  })

  it('is signed with the newest secret as soon as a rotation has returned, however many wait', async () => {
    const pending: Array<() => void> = []
    let isHeld = true
    await start((response) => {
      const respond = () => void response.writeHead(204).end()
      if (isHeld) pending.push(respond)
      else respond()
    })
    const old = secret()
    for (let i = 0; i < 60; i++) await mock.trigger('conversation.resolved')
    await target.until(10)
    const rotated = await (await control(`endpoints/${mock.endpoints[0]?.id}/rotate`)).json()
    isHeld = false
    for (const respond of pending) respond()
    await mock.deliveries()
    expect(target.received).toHaveLength(60)
    for (const [index, { body, headers }] of target.received.entries()) {
      await new Webhooks(index < 10 ? old : rotated.secret).verify(body, headers)
    }
  })
})

describe('the clock', () => {
  it('can be advanced while the receiver of another sandbox hangs', async () => {
    const hanging = await receiver(() => {})
    await start(responding(503))
    const other = { authorization: 'Bearer sk_test_other', 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      mock.fetch(path, { method: 'POST', headers: other, body: JSON.stringify(body) })
    await post('/_mock/endpoints', { url: hanging.url })
    await post('/_mock/trigger', { kind: 'conversation.resolved' })
    await hanging.until(1)
    await mock.trigger('conversation.resolved')
    await mock.advance('PT24H')
    expect((await mock.deliveries({ state: 'dead' }))[0]?.attempts).toHaveLength(5)
    expect(hanging.running()).toBe(1)
    await hanging.close()
  })

  it('can be advanced for one sandbox by many requests at once', async () => {
    await start(responding(503))
    await mock.trigger('conversation.resolved')
    const before = await mock.advance('PT0S')
    const ends = await Promise.all(Array.from({ length: 24 }, () => mock.advance('PT1H')))
    expect(target.received).toHaveLength(5)
    const last = Math.max(...ends.map(Number))
    expect(last - Number(before)).toBeGreaterThanOrEqual(24 * 3_600_000)
  })
})

describe('an endpoint that is removed', () => {
  const remove = (id = mock.endpoints[0]?.id) =>
    mock.fetch(`/_mock/endpoints/${id}`, { method: 'DELETE' })

  it('gets none of the waiting attempts', async () => {
    await start(responding(503))
    await mock.trigger('conversation.resolved')
    await mock.deliveries()
    expect((await remove()).status).toBe(204)
    await mock.advance('PT24H')
    expect(target.received).toHaveLength(1)
    expect(await mock.deliveries()).toEqual([])
  })

  it('may still respond to a running attempt, whose result is dropped', async () => {
    const pending: Array<() => void> = []
    await start((response) => void pending.push(() => response.writeHead(503).end()))
    for (let i = 0; i < 11; i++) await mock.trigger('conversation.resolved')
    await target.until(10)
    expect((await remove()).status).toBe(204)
    for (const respond of pending) respond()
    expect(await mock.deliveries()).toEqual([])
    await mock.advance('PT24H')
    expect(target.received).toHaveLength(10)
  })
})

it('a reset ends a running advance, which waits for no running attempt', async () => {
  const pending: Array<() => void> = []
  await start((response) => {
    const respond = () => void response.writeHead(503).end()
    if (target.received.length === 1) respond()
    else pending.push(respond)
  })
  await mock.trigger('conversation.resolved')
  const passing = mock.advance('PT24H')
  await target.until(2)
  await mock.reset()
  const hour = 3_600_000
  expect(Number(await passing) - Date.now()).toBeLessThan(hour)
  expect(Number(await mock.advance('PT0S')) - Date.now()).toBeLessThan(hour)
  expect(await mock.deliveries()).toEqual([])
  expect(target.running()).toBe(1)
  for (const respond of pending) respond()
})

it('a reset drops deliveries that wait', async () => {
  await start(responding(503))
  await mock.trigger('conversation.resolved')
  await mock.deliveries()
  await mock.reset()
  await mock.advance('PT24H')
  expect(target.received).toHaveLength(1)
  expect(await mock.deliveries()).toEqual([])
})
