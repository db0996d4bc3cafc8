import { describe, expect, it, onTestFinished } from 'vitest'
import { type Receiver, type Responder, receiver as startReceiver } from './receiver.ts'
import { type Sandboxed, sandboxed } from './sandboxed.ts'
import { lastingPlace } from './stores.ts'

async function begin(
  respond?: Responder,
  options = {},
): Promise<{ mock: Sandboxed; receiver: Receiver; id: string }> {
  const mock = await sandboxed(options)
  const receiver = await startReceiver(respond)
  onTestFinished(async () => {
    await receiver.close()
    await mock.close()
  })
  const { body } = await mock.post('/_mock/endpoints', { url: receiver.url })
  return { mock, receiver, id: body.id }
}

const settled = (mock: Sandboxed) => mock.post('/_mock/clock', { advance: 'PT0S' })
const deliveries = async (mock: Sandboxed, query = '') => {
  await settled(mock)
  return (await mock.get(`/_mock/deliveries${query}`)).body.data
}
const trigger = (mock: Sandboxed, kind = 'conversation.handoff', more = {}) =>
  mock.post('/_mock/trigger', { kind, ...more })
const idsAt = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).id)

describe('a pause', () => {
  it('holds events back until they are resumed', async () => {
    const { mock, receiver } = await begin()
    expect((await mock.post('/_mock/deliveries/pause', {})).body).toEqual({ paused: true })
    await trigger(mock)
    expect(await deliveries(mock)).toMatchObject([{ state: 'pending', attempts: [] }])
    await mock.post('/_mock/clock', { advance: 'PT48H' })
    expect((await mock.get('/_mock/deliveries')).body.paused).toBe(true)
    expect(receiver.received).toEqual([])

    expect((await mock.post('/_mock/deliveries/resume', {})).body).toEqual({ paused: false })
    expect(await deliveries(mock)).toMatchObject([{ state: 'succeeded' }])
    expect((await mock.get('/_mock/deliveries')).body.paused).toBe(false)
  })

  it('lets running attempts end, and holds their retries back', async () => {
    let finish = () => {}
    const { mock, receiver } = await begin((response) => {
      finish = () => void response.writeHead(503).end()
    })
    await trigger(mock)
    await receiver.until(1)
    await mock.post('/_mock/deliveries/pause', {})
    finish()
    await mock.post('/_mock/clock', { advance: 'PT24H' })
    expect(await deliveries(mock)).toMatchObject([
      { state: 'pending', attempts: [{ status: 503 }] },
    ])
  })

  it('holds back what is claimed already', async () => {
    const waiting: Array<() => void> = []
    const { mock, receiver } = await begin((response) => {
      waiting.push(() => void response.writeHead(204).end())
    })
    for (let count = 0; count < 25; count++) await trigger(mock)
    await receiver.until(10)
    await mock.post('/_mock/deliveries/pause', {})
    for (const finish of waiting) finish()
    const states = (await deliveries(mock)).map(({ state }: { state: string }) => state)
    expect(states.filter((state: string) => state === 'pending')).toHaveLength(15)
    expect(receiver.received).toHaveLength(10)
  })

  it.each(['original', 'reverse', 'shuffled'])('ends in %s order on request', async (order) => {
    const { mock, receiver } = await begin()
    await mock.post('/_mock/deliveries/pause', {})
    const ids: string[] = []
    for (let count = 0; count < 12; count++) ids.push((await trigger(mock)).body.id)
    await mock.post('/_mock/deliveries/resume', { order })
    const arrived = idsAt(receiver)
    expect(arrived.toSorted()).toEqual(ids.toSorted())
    if (order === 'original') expect(arrived).toEqual(ids)
    else if (order === 'reverse') expect(arrived).toEqual(ids.toReversed())
    else expect([ids, ids.toReversed()]).not.toContainEqual(arrived)
  })

  it('outlives a restart, and ends with a reset', async () => {
    const store = lastingPlace()
    const first = await sandboxed({ store })
    await first.post('/_mock/deliveries/pause', {})
    await first.close()
    const mock = await sandboxed({ store })
    onTestFinished(() => mock.close())
    expect((await mock.get('/_mock/deliveries')).body.paused).toBe(true)
    await mock.post('/_mock/reset', {})
    expect((await mock.get('/_mock/deliveries')).body.paused).toBe(false)
  })
})

describe('a retry', () => {
  it('makes the next attempt now, as one of the five', async () => {
    let status = 503
    const { mock } = await begin((response) => void response.writeHead(status).end())
    await trigger(mock)
    const [{ id }] = await deliveries(mock)
    status = 204
    expect((await mock.post(`/_mock/deliveries/${id}/retry`, {})).status).toBe(202)
    expect(await deliveries(mock)).toMatchObject([
      { state: 'succeeded', attempts: [{ status: 503 }, { status: 204 }] },
    ])
    const again = await mock.post(`/_mock/deliveries/${id}/retry`, {})
    expect(again).toMatchObject({ status: 409, body: { code: 'impossible_step' } })
    expect((await mock.post('/_mock/deliveries/dlv_99/retry', {})).status).toBe(404)
  })

  it('attempts one delivery of those that are paused', async () => {
    const { mock, receiver } = await begin()
    await mock.post('/_mock/deliveries/pause', {})
    await trigger(mock)
    const { body } = await trigger(mock)
    const [{ id }] = await deliveries(mock)
    await mock.post(`/_mock/deliveries/${id}/retry`, {})
    await settled(mock)
    expect(idsAt(receiver)).toEqual([body.id])
    expect((await mock.get(`/_mock/deliveries/${id}`)).body.state).toBe('succeeded')
  })
})

describe('a cancellation', () => {
  it('makes a pending delivery dead, until it is replayed', async () => {
    let status = 503
    const { mock } = await begin((response) => void response.writeHead(status).end())
    await trigger(mock)
    const [{ id }] = await deliveries(mock)
    const { body } = await mock.post(`/_mock/deliveries/${id}/cancel`, {})
    expect(body).toMatchObject({ state: 'dead', reason: 'cancelled', due_at: null })
    await mock.post('/_mock/clock', { advance: 'PT24H' })
    expect((await deliveries(mock))[0].attempts).toHaveLength(1)
    expect((await mock.post(`/_mock/deliveries/${id}/cancel`, {})).status).toBe(409)
    status = 204
    await mock.post(`/_mock/deliveries/${id}/replay`, {})
    expect(await deliveries(mock)).toMatchObject([{ state: 'succeeded', reason: null }])
  })

  it('shows the result of a running attempt, which changes nothing', async () => {
    let finish = () => {}
    const { mock, receiver } = await begin((response) => {
      finish = () => void response.writeHead(204).end()
    })
    await trigger(mock)
    await receiver.until(1)
    const { body } = await mock.get('/_mock/deliveries')
    await mock.post(`/_mock/deliveries/${body.data[0].id}/cancel`, {})
    finish()
    expect(await deliveries(mock)).toMatchObject([
      { state: 'dead', reason: 'cancelled', due_at: null, attempts: [{ status: 204 }] },
    ])
  })
})

describe('an endpoint that is disabled', () => {
  it('gets no events, and its pending deliveries wait', async () => {
    let status = 503
    const { mock, receiver, id } = await begin((response) => void response.writeHead(status).end())
    const first = await trigger(mock)
    await settled(mock)
    const disabled = await mock.post(`/_mock/endpoints/${id}/disable`, {})
    expect(disabled.body).toMatchObject({ id, disabled: true })
    await trigger(mock)
    await mock.post('/_mock/clock', { advance: 'PT24H' })
    expect(receiver.received).toHaveLength(1)
    const [{ id: waiting }] = await deliveries(mock)
    const retry = await mock.post(`/_mock/deliveries/${waiting}/retry`, {})
    expect(retry).toMatchObject({ status: 409 })
    expect(retry.body.detail).toContain('Enable it first')

    status = 204
    await mock.post(`/_mock/endpoints/${id}/enable`, {})
    expect(await deliveries(mock)).toMatchObject([{ state: 'succeeded' }])
    expect(idsAt(receiver)).toEqual([first.body.id, first.body.id])
    expect((await mock.get('/_mock/endpoints')).body.data).toMatchObject([{ disabled: false }])
    expect((await mock.post('/_mock/endpoints/ep_none/disable', {})).status).toBe(404)
  })
})

describe('an event', () => {
  it('arrives several times on request', async () => {
    const { mock, receiver } = await begin()
    const { body } = await trigger(mock, 'conversation.resolved', { copies: 3 })
    await settled(mock)
    expect(idsAt(receiver)).toEqual([body.id, body.id, body.id])
    expect(await deliveries(mock, `?event=${body.id}`)).toHaveLength(3)
    expect((await mock.get('/_mock/events')).body.data).toHaveLength(1)
    expect((await trigger(mock, 'conversation.resolved', { copies: 11 })).status).toBe(422)
  })

  it('is sent again to all its endpoints', async () => {
    const { mock, receiver } = await begin()
    const { body } = await trigger(mock)
    await trigger(mock)
    await settled(mock)
    const replay = await mock.post('/_mock/replay', { event: body.id })
    expect(replay.body).toEqual({ replayed: 1 })
    await settled(mock)
    expect(idsAt(receiver).filter((id) => id === body.id)).toHaveLength(2)
  })

  it('of the future has a kind, fields and values that the contract lacks', async () => {
    const { mock, receiver } = await begin()
    const { status, body } = await trigger(mock, 'future', { data: { extra: 1 } })
    expect(status).toBe(201)
    await settled(mock)
    const [sent] = receiver.received
    expect(JSON.parse(sent?.body ?? '')).toEqual(body)
    expect(sent?.headers['x-service-event']).toBe('future.event')
    expect(body).toMatchObject({ event: 'future.event', future_field: true })
    expect(body.data).toMatchObject({ future_field: true, extra: 1 })
    expect(JSON.stringify(body)).toContain('"future_value"')
    expect(await deliveries(mock, '?kind=future.event')).toHaveLength(1)
    expect((await mock.get('/_mock/events')).body.data).toEqual([body])
  })
})
