/** Listeners and their consumers, on a virtual clock. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Listeners } from '../src/delivery/listeners.ts'
import type { Result } from '../src/delivery/sender.ts'
import { KeyedMutex } from '../src/store/keyed-mutex.ts'
import type { EndpointStore } from '../src/store/store.ts'
import type { Endpoint, Job } from '../src/store/types.ts'
import { gate } from './virtual.ts'

const SANDBOX = { id: 1, offset: 0, generation: 0 }
const URL = 'http://127.0.0.1:3000'
const DONE: Result = { status: 204, reason: null, retry: false, headers: {}, body: '' }

let listeners: Listeners
let endpoints: Endpoint[]
let attended: boolean[]
let id: string
let settled: Array<[string, Result | null]>
/** Called by the store's methods before they take effect. */
let before: (method: 'list' | 'attend') => Promise<void>

beforeEach(async () => {
  vi.useFakeTimers()
  endpoints = []
  attended = []
  settled = []
  before = async () => {}
  const open = new Set<string>()
  const store = {
    list: async () => {
      const found = [...endpoints]
      await before('list')
      return found
    },
    add: async (_, endpoint) => void endpoints.push(endpoint),
    change: async (_, id, received) => {
      endpoints = endpoints.map((one) => (one.id === id ? { ...one, ...received } : one))
    },
    attend: async (_, id, isAttended) => {
      await before('attend')
      attended.push(isAttended)
      if (isAttended) open.add(id)
      else open.delete(id)
    },
    attended: async () => [...open].map((id) => ({ id, by: null })),
  } satisfies Partial<EndpointStore> as unknown as EndpointStore
  const mutex = new KeyedMutex()
  listeners = new Listeners({
    store,
    exclusively: (_, step) => mutex.run('', step),
    headersOf: () => ({}),
    onResigned: () => {},
    onArrival: () => {},
  })
  id = (await listeners.register(SANDBOX, { url: URL, kinds: null })).id
})
afterEach(async () => {
  await listeners.stop()
  vi.useRealTimers()
})

function send(name: string): void {
  const endpoint = { id, url: `listen:${URL}`, kinds: null, secret: '' }
  const event = { id: `evt_${name}`, kind: 'conversation.created', body: '{}' }
  const job: Job = {
    id: name,
    delivery: 1,
    sandbox: SANDBOX,
    endpoint,
    event,
    attempted: 0,
    cycle: 0,
  }
  void listeners.send(job).then((result) => settled.push([name, result]))
}

const take = async (consumer: string, holding: string[] = [], limit = 10) =>
  (await listeners.poll(SANDBOX, id, { consumer, holding, limit })).map((delivery) => delivery.id)
const report = (name: string) => listeners.report(SANDBOX, id, [{ id: name, ...DONE }])

it('leases each delivery to one consumer, up to its limit', async () => {
  for (const name of ['a', 'b', 'c']) send(name)
  expect(await take('one', [], 2)).toEqual(['a', 'b'])
  expect(await take('two')).toEqual(['c'])
  expect(report('b')).toBe(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(settled).toEqual([['b', DONE]])
})

it('returns a poll with the first delivery, and after 25 seconds without one', async () => {
  const early = take('one')
  await vi.advanceTimersByTimeAsync(1000)
  send('a')
  expect(await early).toEqual(['a'])
  const late = take('one', ['a'])
  await vi.advanceTimersByTimeAsync(25_000)
  expect(await late).toEqual([])
})

it('leases an unreported delivery to another consumer after 30 seconds', async () => {
  send('a')
  expect(await take('one')).toEqual(['a'])
  const second = take('two')
  await vi.advanceTimersByTimeAsync(25_000)
  expect(await second).toEqual([])
  const third = take('two')
  await vi.advanceTimersByTimeAsync(4999)
  expect(settled).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(await third).toEqual(['a'])
  // The first consumer was only slow. Its report still counts.
  expect(report('a')).toBe(1)
  expect(report('a')).toBe(0)
})

it('returns deliveries of a lost connection at once, but not those that the consumer holds', async () => {
  for (const name of ['a', 'b']) send(name)
  expect(await take('one')).toEqual(['a', 'b'])
  expect(await take('one', ['b'])).toEqual(['a'])
})

it('closes when its last consumer leaves', async () => {
  let goAway = () => {}
  const poll = { consumer: 'one', holding: [], limit: 10 }
  const polled = listeners.poll(SANDBOX, id, poll, (listener) => {
    goAway = listener
  })
  await vi.advanceTimersByTimeAsync(0)
  goAway()
  expect(await polled).toEqual([])
  await vi.advanceTimersByTimeAsync(0)
  expect(attended).toEqual([true, false])
  send('a')
  await vi.advanceTimersByTimeAsync(0)
  expect(settled).toEqual([['a', null]])
})

it('closes when its last consumer left before its poll began to wait', async () => {
  const poll = { consumer: 'one', holding: [], limit: 10 }
  expect(await listeners.poll(SANDBOX, id, poll, (gone) => gone())).toEqual([])
  await vi.advanceTimersByTimeAsync(0)
  expect(attended).toEqual([true, false])
})

describe('while it has a consumer', () => {
  const register = (...kinds: string[]) => listeners.register(SANDBOX, { url: URL, kinds })
  beforeEach(async () => {
    // The consumer that registered it never polled.
    await vi.advanceTimersByTimeAsync(30_000)
    await register('conversation.created', 'conversation.csat')
  })

  it('is not registered with other kinds', async () => {
    const refused = { status: 409, code: 'listener_taken' }
    await expect(register('conversation.csat')).rejects.toMatchObject(refused)
    await expect(listeners.register(SANDBOX, { url: URL, kinds: null })).rejects.toMatchObject({
      ...refused,
      message: `Another program listens for ${URL} and receives conversation.created, conversation.csat. Stop it, or use the same kinds.`,
    })
    expect(endpoints[0]?.kinds).toEqual(['conversation.created', 'conversation.csat'])
  })

  it('is registered with the same kinds in another order', async () => {
    expect((await register('conversation.csat', 'conversation.created')).id).toBe(id)
  })

  it('has the kinds of the next consumer once the first left, even with deliveries still leased', async () => {
    let goAway = () => {}
    send('a')
    expect(await take('one')).toEqual(['a'])
    const poll = { consumer: 'one', holding: ['a'], limit: 10 }
    const polled = listeners.poll(SANDBOX, id, poll, (listener) => {
      goAway = listener
    })
    await vi.advanceTimersByTimeAsync(0)
    await expect(register('conversation.csat')).rejects.toMatchObject({ status: 409 })
    goAway()
    await polled
    expect((await register('conversation.csat')).kinds).toEqual(['conversation.csat'])
    expect(report('a')).toBe(1)
    // Now the next consumer has registered.
    await expect(register('conversation.created')).rejects.toMatchObject({ status: 409 })
  })
})

it('has its consumer register again when it is removed', async () => {
  send('a')
  expect(await take('one')).toEqual(['a'])
  const polled = take('one', ['a'])
  await listeners.remove(SANDBOX, id, async () => void endpoints.splice(0))
  expect(await polled).toEqual([])
  expect(settled).toEqual([['a', null]])
  expect(report('a')).toBe(0)
  await expect(take('one')).rejects.toMatchObject({ status: 404, code: 'listener_not_found' })
  expect((await listeners.register(SANDBOX, { url: URL, kinds: null })).id).toBe(id)
  send('b')
  expect(await take('one')).toEqual(['b'])
})

it('returns its deliveries to the store when its consumer is silent for too long', async () => {
  for (const name of ['a', 'b']) send(name)
  expect(await take('one', [], 1)).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(attended).toEqual([true, false])
  expect(settled).toEqual(
    expect.arrayContaining([
      ['a', null],
      ['b', null],
    ]),
  )
})

it('is a new one in a store with other data, so that no consumer reports deliveries of another server', async () => {
  send('dlv_1')
  expect(await take('one')).toEqual(['dlv_1'])
  const before = id
  endpoints.splice(0)
  const others = { ...SANDBOX, id: 2 }
  const again = await listeners.register(others, { url: URL, kinds: null })
  expect(again.id).not.toBe(before)
  const poll = { consumer: 'one', holding: ['dlv_1'], limit: 10 }
  await expect(listeners.poll(others, before, poll)).rejects.toMatchObject({ status: 404 })
  expect(listeners.report(others, before, [{ id: 'dlv_1', ...DONE }])).toBe(0)
  // The same URL in the same data is the same listener.
  expect((await listeners.register(others, { url: URL, kinds: null })).id).toBe(again.id)
})

describe('at the same time', () => {
  /** Holds the next call of a method of the store until it is released. */
  function hold(method: string) {
    const { opened, open } = gate()
    const { opened: reached, open: reach } = gate()
    before = async (called) => {
      if (called !== method) return
      before = async () => {}
      reach()
      await opened
    }
    return { reached, release: open }
  }

  it('a reset and a new listener: the listener has its endpoint', async () => {
    const { reached, release } = hold('list')
    const reset = listeners.reset(SANDBOX, async (kept) => {
      endpoints = kept
    })
    await reached
    const other = listeners.register(SANDBOX, { url: `${URL}/other`, kinds: null })
    release()
    const [{ id: added }] = await Promise.all([other, reset])
    expect(endpoints.map((one) => one.id)).toEqual([id, added])
  })

  it('a stop and a reset that takes long: no poll waits, and none begins to', async () => {
    const poll = { consumer: 'c', holding: [], limit: 10 }
    const waiting = listeners.poll(SANDBOX, id, poll)
    const { reached, release } = hold('list')
    const reset = listeners.reset(SANDBOX, async () => {})
    await reached
    const stopped = listeners.stop()
    expect(await waiting).toEqual([])
    await expect(listeners.poll(SANDBOX, id, poll)).rejects.toMatchObject({ status: 503 })
    release()
    await Promise.all([reset, stopped])
  })

  it('a removal and the first poll after a silence: the consumer gets a 404, not an endless wait', async () => {
    await vi.advanceTimersByTimeAsync(30_000)
    const { reached, release } = hold('list')
    const polled = take('one')
    await reached
    const removed = listeners.remove(SANDBOX, id, async () => void endpoints.splice(0))
    release()
    await removed
    expect(await polled).toEqual([])
    await expect(take('one')).rejects.toMatchObject({ status: 404 })
  })

  it('the last consumer leaves and another one polls: what is sent then reaches it', async () => {
    const { reached, release } = hold('attend')
    const silence = vi.advanceTimersByTimeAsync(30_000)
    await reached
    // The closing listener responds to it, and it polls again.
    const first = take('one')
    release()
    await silence
    expect(await first).toEqual([])
    const second = take('one')
    await vi.advanceTimersByTimeAsync(0)
    expect(attended).toEqual([true, false, true])
    send('a')
    expect(await second).toEqual(['a'])
  })

  it('a second poll of one consumer: the first one, whose connection is lost, gets nothing', async () => {
    const lost = take('one', [], 1)
    await vi.advanceTimersByTimeAsync(0)
    const polled = take('one', [], 1)
    for (const name of ['a', 'b']) send(name)
    expect(await polled).toEqual(['a'])
    expect(await lost).toEqual([])
    expect(await take('two')).toEqual(['b'])
  })
})

it('closes with the last report of a consumer that left, so that nothing waits for it', async () => {
  let goAway = () => {}
  send('a')
  expect(await take('one')).toEqual(['a'])
  const poll = { consumer: 'one', holding: ['a'], limit: 10 }
  const polled = listeners.poll(SANDBOX, id, poll, (gone) => {
    goAway = gone
  })
  await vi.advanceTimersByTimeAsync(0)
  goAway()
  await polled
  send('b')
  report('a')
  await vi.advanceTimersByTimeAsync(0)
  expect(settled).toEqual([
    ['a', DONE],
    ['b', null],
  ])
})
