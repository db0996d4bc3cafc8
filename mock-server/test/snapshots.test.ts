import { describe, expect, it, onTestFinished } from 'vitest'
import { receiver as startReceiver } from './receiver.ts'
import { NOW, type Sandboxed, SEEDED, sandboxed } from './sandboxed.ts'
import { lastingPlace } from './stores.ts'

async function begin(options = {}): Promise<Sandboxed> {
  const mock = await sandboxed(options)
  onTestFinished(() => mock.close())
  return mock
}

async function receiving(...given: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...given)
  onTestFinished(() => receiver.close())
  return receiver
}

const take = (mock: Sandboxed, name = 'base') => mock.post('/_mock/snapshots', { name })
const restore = (mock: Sandboxed, name = 'base') =>
  mock.post(`/_mock/snapshots/${name}/restore`, {})
const settled = (mock: Sandboxed) => mock.post('/_mock/clock', { advance: 'PT0S' })

/** Everything that the API and the control API show. */
async function all(mock: Sandboxed) {
  await settled(mock)
  const paths = [
    '/v1/conversations',
    '/v1/analytics',
    `/v1/conversations/${SEEDED.open}`,
    '/_mock/endpoints',
    '/_mock/events',
    '/_mock/deliveries',
  ]
  const responses = []
  for (const path of paths) responses.push((await mock.get(path)).body)
  return responses
}

describe('a snapshot', () => {
  it('brings back the data, the clock, the endpoints and the deliveries', async () => {
    const mock = await begin()
    const receiver = await receiving((response) => void response.writeHead(503).end())
    await mock.post('/_mock/endpoints', { url: receiver.url, events: ['conversation.handoff'] })
    const kept = await mock.create('Where is my parcel?')
    await mock.post(`/_mock/conversations/${kept}/handoff`, { reason: 'A refund.' })
    await mock.post('/_mock/clock', { advance: 'PT1H' })
    await settled(mock)
    expect(await take(mock)).toMatchObject({ status: 201, body: { name: 'base' } })
    const before = await all(mock)

    await mock.post('/_mock/clock', { advance: 'PT48H' })
    await mock.post(`/_mock/conversations/${kept}/resolve`, {})
    const lost = await mock.create('A new one.')
    await mock.post('/_mock/deliveries/pause', {})
    for (const { id } of (await mock.get('/_mock/endpoints')).body.data) {
      await mock.call('DELETE', `/_mock/endpoints/${id}`)
    }
    expect(Date.parse((await restore(mock)).body.now)).toBe(NOW + 3_600_000)
    expect(await all(mock)).toEqual(before)
    expect((await mock.get(`/v1/conversations/${lost}`)).status).toBe(404)

    const { attempts } = (await mock.get('/_mock/deliveries')).body.data[0]
    await mock.post('/_mock/clock', { advance: 'PT48H' })
    const [delivery] = (await mock.get('/_mock/deliveries')).body.data
    expect(delivery.state).toBe('dead')
    expect(delivery.attempts).toHaveLength(5)
    expect(delivery.attempts.slice(0, attempts.length)).toEqual(attempts)
  })

  it('can be restored many times, also after a reset, and gives event ids only once', async () => {
    const mock = await begin()
    await take(mock)
    const ids = []
    for (let round = 0; round < 3; round++) {
      const id = await mock.create('Hello.')
      const events = await mock.events()
      ids.push(...events.map((event: { id: string }) => event.id))
      expect(id).toBe((await mock.get('/v1/conversations?limit=1')).body.data[0].id)
      if (round === 1) await mock.post('/_mock/reset', {})
      await restore(mock)
      expect(await mock.events()).toEqual([])
    }
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('outlives a restart with the data', async () => {
    const store = lastingPlace()
    const first = await sandboxed({ store })
    await first.create('Kept.')
    await take(first)
    const before = await all(first)
    await first.create('Lost.')
    await first.close()
    const mock = await begin({ store })
    await restore(mock)
    expect(await all(mock)).toEqual(before)
  })

  it('discards the results of running attempts, and attempts again what was pending', async () => {
    const waiting: Array<() => void> = []
    const mock = await begin()
    const receiver = await receiving((response) => {
      waiting.push(() => void response.writeHead(waiting.length === 1 ? 500 : 204).end())
    })
    await mock.post('/_mock/endpoints', { url: receiver.url })
    await mock.post('/_mock/trigger', { kind: 'conversation.handoff' })
    await receiver.until(1)
    await take(mock)
    await restore(mock)
    await receiver.until(2)
    waiting[0]?.()
    waiting[1]?.()
    await settled(mock)
    const { data } = (await mock.get('/_mock/deliveries')).body
    expect(data).toMatchObject([{ state: 'succeeded', attempts: [{ status: 204 }] }])
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })

  it('keeps listeners connected', async () => {
    const mock = await begin()
    const poll = (id: string) =>
      mock.post(`/_mock/listeners/${id}/poll`, { consumer: 'c', holding: [], limit: 10 })
    await take(mock)
    const { body } = await mock.post('/_mock/listeners', { url: 'http://127.0.0.1:1/' })
    const arriving = poll(body.id)
    await restore(mock)
    await mock.post('/_mock/trigger', { kind: 'conversation.handoff' })
    expect((await arriving).body.data).toHaveLength(1)
  })

  it('does not affect another sandbox', async () => {
    const mock = await begin()
    const other = { key: 'sk_test_other' }
    await mock.post('/_mock/snapshots', { name: 'mine' }, other)
    await mock.post('/_mock/trigger', { kind: 'conversation.handoff' }, other)
    await take(mock)
    await mock.post('/_mock/trigger', { kind: 'conversation.handoff' })
    await mock.post('/_mock/trigger', { kind: 'conversation.handoff' }, other)
    await restore(mock)
    expect(await mock.events(other)).toHaveLength(2)
    expect((await restore(mock, 'mine')).status).toBe(404)
  })

  it('is listed, replaced and removed by its name', async () => {
    const mock = await begin()
    await take(mock, 'a')
    await take(mock, 'b')
    await mock.create('Hello.')
    await take(mock, 'a')
    const list = async () =>
      (await mock.get('/_mock/snapshots')).body.data.map(({ name }: { name: string }) => name)
    expect((await list()).toSorted()).toEqual(['a', 'b'])
    await restore(mock, 'a')
    expect(await mock.events()).toHaveLength(2)
    expect((await mock.call('DELETE', '/_mock/snapshots/b')).status).toBe(204)
    expect(await list()).toEqual(['a'])
    const unknown = await restore(mock, 'c')
    expect(unknown).toMatchObject({ status: 404, body: { code: 'snapshot_not_found' } })
    expect(unknown.body.detail).toContain('Use one of: a.')
    for (const name of ['', '../x', 'a b']) expect((await take(mock, name)).status).toBe(422)
  })

  it('ends fault rules', async () => {
    const mock = await begin()
    await take(mock)
    await mock.post('/_mock/faults', { status: 503 })
    await restore(mock)
    expect((await mock.get('/v1/analytics')).status).toBe(200)
  })
})
