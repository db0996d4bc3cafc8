/** Dead letters and their replay. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Delivery, MockServer } from '../src/index.ts'
import { KIND, OTHER, THIRD } from './kinds.ts'
import { createMockServer } from './mock.ts'
import { type Receiver, receiver } from './receiver.ts'
import { problem } from './support.ts'

let mock: MockServer
let target: Receiver
let status: number
beforeEach(async () => {
  status = 500
  target = await receiver((response) => void response.writeHead(status).end())
  mock = await createMockServer({ webhooks: [{ url: target.url }] })
})
afterEach(async () => {
  await mock.close()
  await target.close()
})

const post = (path: string, body: object = {}) =>
  mock.fetch(`/_mock/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const only = async (): Promise<Delivery> => {
  const deliveries = await mock.deliveries()
  expect(deliveries).toHaveLength(1)
  return deliveries[0] as Delivery
}
/** A dead delivery. */
async function dead() {
  await mock.trigger('conversation.resolved')
  await mock.advance('PT24H')
  const delivery = await only()
  expect(delivery.state).toBe('dead')
  return delivery
}

describe('a dead delivery', () => {
  it('is sent again with the same event, and its whole history stays', async () => {
    const before = await dead()
    status = 204
    const response = await post(`deliveries/${before.id}/replay`)
    expect(response.status).toBe(202)
    expect(await response.json()).toMatchObject({ id: before.id, event_id: before.event_id })
    const after = await only()
    expect(after.state).toBe('succeeded')
    expect(after.attempts.slice(0, 5)).toEqual(before.attempts)
    expect(after.attempts.map((attempt) => attempt.status)).toEqual([...Array(5).fill(500), 204])
    expect(new Set(target.received.map(({ body }) => JSON.parse(body).id)).size).toBe(1)
  })

  it('has up to five more attempts each time', async () => {
    const { id } = await dead()
    for (const attempts of [10, 15]) {
      await post(`deliveries/${id}/replay`)
      await mock.advance('PT24H')
      const delivery = await only()
      expect(delivery).toMatchObject({ id, state: 'dead' })
      expect(delivery.attempts).toHaveLength(attempts)
    }
    expect(target.received).toHaveLength(15)
  })

  it('is signed with the current secret of its endpoint', async () => {
    const { id, endpoint_id } = await dead()
    const { secret } = await (await post(`endpoints/${endpoint_id}/rotate`)).json()
    status = 204
    await post(`deliveries/${id}/replay`)
    await mock.deliveries()
    const signatures = target.received.map(({ headers }) => headers['x-service-signature'])
    expect(new Set(signatures.slice(0, 5)).size).toBe(1)
    expect(signatures[5]).not.toBe(signatures[0])
    expect(secret).toMatch(/^whsec_/)
  })
})

it('a delivery that succeeded can be sent again', async () => {
  status = 204
  await mock.trigger('conversation.resolved')
  const { id } = await only()
  expect((await post(`deliveries/${id}/replay`)).status).toBe(202)
  expect((await only()).attempts).toHaveLength(2)
})

it('a pending delivery is not replayed', async () => {
  await mock.trigger('conversation.resolved')
  const { id, state } = await only()
  expect(state).toBe('pending')
  const { code, detail } = await problem(await post(`deliveries/${id}/replay`), 409)
  expect(code).toBe('impossible_step')
  expect(detail).toContain('is pending')
  expect(await (await post('replay', { state: 'pending' })).text()).not.toContain('"replayed":1')
  expect((await only()).attempts).toHaveLength(1)
})

it.each(['dlv_0', 'dlv_999999', 'dlv_', 'nonsense', '%00', '1e3'])(
  'there is no delivery %s to be replayed',
  async (id) => {
    await problem(await post(`deliveries/${id}/replay`), 404)
  },
)

describe('many', () => {
  beforeEach(async () => {
    await mock.addEndpoint({ url: `${target.url}/second` })
    await mock.trigger(OTHER)
    await mock.trigger(KIND)
    await mock.advance('PT24H')
    status = 204
  })
  const replayed = async (filter: object) => (await (await post('replay', filter)).json()).replayed
  const left = async () => (await mock.deliveries({ state: 'dead' })).length

  it('are replayed all at once', async () => {
    expect(await left()).toBe(4)
    expect(await replayed({})).toBe(4)
    expect(await left()).toBe(0)
    expect(await replayed({})).toBe(0)
  })

  it('are replayed by kind', async () => {
    expect(await replayed({ kind: KIND })).toBe(2)
    const dead = await mock.deliveries({ state: 'dead' })
    expect(dead.map(({ kind }) => kind)).toEqual(Array(2).fill(OTHER))
  })

  it('are replayed by endpoint', async () => {
    const [, second] = mock.endpoints
    expect(await replayed({ endpoint: second?.id })).toBe(2)
    const dead = await mock.deliveries({ state: 'dead' })
    expect(dead.every(({ endpoint_id }) => endpoint_id !== second?.id)).toBe(true)
  })

  it('are replayed by both, and not at all where none matches', async () => {
    expect(await replayed({ kind: THIRD })).toBe(0)
    const [, second] = mock.endpoints
    expect(await replayed({ kind: KIND, endpoint: second?.id })).toBe(1)
    expect(await left()).toBe(3)
    expect(await replayed({ state: 'succeeded' })).toBe(1)
  })
})
