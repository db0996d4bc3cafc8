/** The worker: concurrency, isolation of endpoints, and failures of the store. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { StoreError } from '../src/store/types.ts'
import { held } from './held.ts'
import { FAILED, gate, OK, type Virtual, virtual } from './virtual.ts'

const HOUR = 3_600_000
let world: Virtual
afterEach(() => world.close())

it('the clock advances in steps that do not grow with the number of endpoints', async () => {
  const claimsFor = async (count: number) => {
    const order: number[] = []
    world = await virtual(async ({ sandbox }) => {
      order.push(sandbox.offset)
      return FAILED
    })
    for (let i = 0; i < count; i++) await world.endpoint(`ep_${i}`)
    await world.emit()
    await world.worker.settled()
    const claim = vi.spyOn(world.store.outbox, 'claim')
    await world.advance(24 * HOUR)
    expect(order).toHaveLength(5 * count)
    expect(order).toEqual([...order].sort((a, b) => a - b))
    return claim.mock.calls.length
  }
  const few = await claimsFor(10)
  await world.close()
  expect(await claimsFor(100)).toBeLessThan(15 * few)
})

describe('an endpoint', () => {
  it('has at most ten attempts at once', async () => {
    let [now, most, all] = [0, 0, 0]
    world = await virtual(async () => {
      most = Math.max(most, ++now)
      await Promise.resolve()
      now--
      all++
      return OK
    })
    await world.endpoint('ep_1')
    await world.emit(500)
    await world.worker.settled()
    expect([most, all]).toEqual([10, 500])
  })

  it('that hangs delays no other endpoint', async () => {
    const { send, running, until, respondToAll } = held()
    const done: string[] = []
    world = await virtual(async (job) => {
      if (job.endpoint.id === 'ep_slow') return send(job)
      done.push(job.event.id)
      return OK
    })
    await world.endpoint('ep_slow')
    await world.emit(300)
    await until(10)
    await world.endpoint('ep_fast', ['knowledge.indexed'])
    await world.endpoint('ep_other', null, 'b')
    await world.emit(300, 'knowledge.indexed')
    await world.emit(300, 'knowledge.indexed', 'b')
    await world.worker.settled(await world.sandbox('b'))
    expect(done.length).toBeGreaterThanOrEqual(300)
    expect(running).toHaveLength(10)
    // The clock of another sandbox can be advanced meanwhile.
    await world.advance(HOUR, 'b')
    expect(running).toHaveLength(10)
    const stopped = world.worker.stop()
    respondToAll()
    await stopped
  })

  it('receives only the kinds that it wants', async () => {
    const got: string[] = []
    world = await virtual(async ({ endpoint, event }) => {
      got.push(`${endpoint.id} ${event.kind}`)
      return OK
    })
    await world.endpoint('ep_all')
    await world.endpoint('ep_two', ['conversation.created', 'knowledge.indexed'])
    await world.endpoint('ep_none', [])
    for (const kind of ['conversation.created', 'conversation.csat', 'knowledge.indexed']) {
      await world.emit(1, kind)
    }
    await world.worker.settled()
    expect(got.sort()).toEqual([
      'ep_all conversation.created',
      'ep_all conversation.csat',
      'ep_all knowledge.indexed',
      'ep_two conversation.created',
      'ep_two knowledge.indexed',
    ])
  })

  it('gets attempts signed with its newest secret, retries too', async () => {
    const secrets: string[] = []
    world = await virtual(async ({ endpoint }) => {
      secrets.push(endpoint.secret)
      return FAILED
    })
    await world.endpoint('ep_1')
    await world.emit()
    await world.worker.settled()
    await world.store.endpoints.changeSecret(await world.sandbox(), 'ep_1', 'whsec_new')
    await world.advance(HOUR)
    expect(secrets).toEqual(['whsec_ep_1', 'whsec_new'])
  })
})

it('attempts of one delivery never overlap, however often the worker is woken', async () => {
  const inside = new Set<number>()
  const attempts = new Map<number, number>()
  let overlaps = 0
  world = await virtual(async ({ delivery }) => {
    if (inside.has(delivery)) overlaps++
    inside.add(delivery)
    attempts.set(delivery, (attempts.get(delivery) ?? 0) + 1)
    await new Promise(setImmediate)
    inside.delete(delivery)
    return FAILED
  })
  await world.endpoint('ep_1')
  await world.endpoint('ep_2')
  await world.emit(40)
  const sandbox = await world.sandbox()
  for (let i = 0; i < 50; i++) {
    void world.worker.poke(sandbox)
    if (i % 10 === 0) await new Promise(setImmediate)
  }
  await world.advance(24 * HOUR)
  expect(overlaps).toBe(0)
  expect([...attempts.values()]).toEqual(Array(80).fill(5))
})

describe('when the worker stops', () => {
  it('running attempts end and are recorded. The rest stays in the store', async () => {
    const { running, send, until, respondToAll } = held()
    world = await virtual(send)
    await world.endpoint('ep_1')
    await world.emit(50)
    await until(10)
    const stopped = world.worker.stop()
    respondToAll()
    await stopped
    expect(running).toHaveLength(0)
    const states = (await world.store.deliveries.list(await world.sandbox(), {}, 100)).map(
      ({ state }) => state,
    )
    expect(states.filter((state) => state === 'succeeded')).toHaveLength(10)
    expect(states.filter((state) => state === 'pending')).toHaveLength(40)
  })

  it('the clock can still be advanced', async () => {
    world = await virtual(async () => OK)
    await world.endpoint('ep_1')
    await world.worker.stop()
    await world.emit()
    await world.advance(HOUR)
    expect((await world.sandbox()).offset).toBe(HOUR)
  })
})

describe('when the store fails', () => {
  const full = new StoreError('the disk is full')

  it('outcomes are kept and recorded once it works again, without another attempt', async () => {
    const { opened, open } = gate()
    let sent = 0
    const errors: object[] = []
    world = await virtual(
      async () => {
        sent++
        await opened
        return OK
      },
      { log: { error: (_message, fields) => errors.push(fields ?? {}), warn() {}, info() {} } },
    )
    await world.endpoint('ep_1')
    await world.emit(5)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const record = vi.spyOn(world.store.outbox, 'record').mockRejectedValue(full)
    try {
      const settled = world.worker.settled()
      open()
      // The waiting call rejects, and the log has the error.
      await expect(settled).rejects.toBe(full)
      await expect(world.worker.settled()).rejects.toBe(full)
      await vi.advanceTimersByTimeAsync(3000)
      expect(record.mock.calls.length).toBeGreaterThanOrEqual(3)
      expect(errors).toContainEqual({ error: 'Error: the disk is full' })
      record.mockRestore()
      await vi.advanceTimersByTimeAsync(1000)
    } finally {
      vi.useRealTimers()
    }
    await world.worker.settled()
    expect(sent).toBe(5)
    const deliveries = await world.store.deliveries.list(await world.sandbox(), {}, 10)
    expect(deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual(
      Array(5).fill(['succeeded', 1]),
    )
  })

  it('deliveries that could not be claimed are claimed once it works again', async () => {
    world = await virtual(async () => OK)
    await world.endpoint('ep_1')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const claim = vi.spyOn(world.store.outbox, 'claim').mockRejectedValue(full)
    try {
      await world.emit(5)
      await expect(world.worker.settled()).rejects.toBe(full)
      claim.mockRestore()
      await vi.advanceTimersByTimeAsync(1000)
    } finally {
      vi.useRealTimers()
    }
    await world.worker.settled()
    const done = await world.store.deliveries.list(
      await world.sandbox(),
      { state: 'succeeded' },
      10,
    )
    expect(done).toHaveLength(5)
  })

  it('an outcome that was recorded is not recorded again', async () => {
    let isAttended = false
    world = await virtual(async ({ event }) => (event.id === 'evt_1' || isAttended ? OK : null))
    await world.endpoint('ep_1')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const release = vi.spyOn(world.store.outbox, 'release').mockRejectedValueOnce(full)
    try {
      await world.emit(2)
      await expect(world.worker.settled()).rejects.toBe(full)
      release.mockRestore()
      isAttended = true
      await vi.advanceTimersByTimeAsync(1000)
    } finally {
      vi.useRealTimers()
    }
    await world.worker.settled()
    const deliveries = await world.store.deliveries.list(await world.sandbox(), {}, 10)
    expect(deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual(
      Array(2).fill(['succeeded', 1]),
    )
  })

  it('the worker still stops', async () => {
    const { send, until, respondToAll } = held()
    world = await virtual(send)
    await world.endpoint('ep_1')
    await world.emit(3)
    await until(3)
    const record = vi.spyOn(world.store.outbox, 'record').mockRejectedValue(full)
    const stopped = world.worker.stop()
    respondToAll()
    await stopped
    record.mockRestore()
  })
})
