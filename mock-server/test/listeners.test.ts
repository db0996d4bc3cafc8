/** The room where deliveries wait for those who forward them, with a clock of its own. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Listeners } from '../src/delivery/listeners.ts'
import type { Result } from '../src/delivery/sender.ts'
import type { Endpoint, Job, Store } from '../src/store/types.ts'

const SANDBOX = { id: 1, offset: 0, generation: 0 }
const URL = 'http://127.0.0.1:3000'
const DONE: Result = { status: 204, reason: null, retry: false, headers: {}, body: '' }

let listeners: Listeners
let endpoints: Endpoint[]
let attended: boolean[]
let id: string
let settled: Array<[string, Result | null]>

beforeEach(async () => {
  vi.useFakeTimers()
  endpoints = []
  attended = []
  settled = []
  const store = {
    endpoints: async () => endpoints,
    addEndpoint: async (_, endpoint) => void endpoints.push(endpoint),
    changeKinds: async (_, id, kinds) => {
      endpoints = endpoints.map((one) => (one.id === id ? { ...one, kinds } : one))
    },
    attend: async (_, __, isAttended) => void attended.push(isAttended),
  } satisfies Partial<Store> as unknown as Store
  listeners = new Listeners({ store, headersOf: () => ({}), onArrival: () => {} })
  id = (await listeners.register(SANDBOX, { url: URL, kinds: null })).id
})
afterEach(async () => {
  await listeners.stop()
  vi.useRealTimers()
})

function send(name: string): void {
  const endpoint = { id, url: `listen:${URL}`, kinds: null, secret: '' }
  const event = { id: `evt_${name}`, kind: 'conversation.created', body: '{}' }
  const job: Job = { id: name, delivery: 1, sandbox: SANDBOX, endpoint, event, attempted: 0 }
  void listeners.send(job).then((result) => settled.push([name, result]))
}

const take = async (taker: string, holding: string[] = [], limit = 10) =>
  (await listeners.take(SANDBOX, id, { taker, holding, limit })).map((delivery) => delivery.id)
const report = (name: string) => listeners.report(SANDBOX, id, [{ id: name, ...DONE }])

it('gives each delivery to one taker, as many as it can take', async () => {
  for (const name of ['a', 'b', 'c']) send(name)
  expect(await take('one', [], 2)).toEqual(['a', 'b'])
  expect(await take('two')).toEqual(['c'])
  expect(report('b')).toBe(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(settled).toEqual([['b', DONE]])
})

it('answers a question as soon as there is something, and after 25 seconds without', async () => {
  const early = take('one')
  await vi.advanceTimersByTimeAsync(1000)
  send('a')
  expect(await early).toEqual(['a'])
  const late = take('one', ['a'])
  await vi.advanceTimersByTimeAsync(25_000)
  expect(await late).toEqual([])
})

it('gives what was not reported to another one after 30 seconds', async () => {
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
  // The first one was only slow; its report counts for what it is.
  expect(report('a')).toBe(1)
  expect(report('a')).toBe(0)
})

it('gives a taker at once what its lost connection took, and not what it holds', async () => {
  for (const name of ['a', 'b']) send(name)
  expect(await take('one')).toEqual(['a', 'b'])
  expect(await take('one', ['b'])).toEqual(['a'])
})

it('lets nobody wait for a listener that is gone', async () => {
  let goAway = () => {}
  const question = { taker: 'one', holding: [], limit: 10 }
  const taken = listeners.take(SANDBOX, id, question, (listener) => {
    goAway = listener
  })
  await vi.advanceTimersByTimeAsync(0)
  goAway()
  expect(await taken).toEqual([])
  await vi.advanceTimersByTimeAsync(0)
  expect(attended).toEqual([true, false])
  send('a')
  await vi.advanceTimersByTimeAsync(0)
  expect(settled).toEqual([['a', null]])
})

describe('while somebody takes from it', () => {
  const register = (...kinds: string[]) => listeners.register(SANDBOX, { url: URL, kinds })
  beforeEach(async () => {
    // Whoever registered it went away without a word.
    await vi.advanceTimersByTimeAsync(30_000)
    await register('conversation.created', 'conversation.csat')
  })

  it('is not registered with other kinds', async () => {
    const refused = { status: 409, code: 'listener_taken' }
    await expect(register('conversation.csat')).rejects.toMatchObject(refused)
    await expect(listeners.register(SANDBOX, { url: URL, kinds: null })).rejects.toMatchObject({
      ...refused,
      message: `Another program listens for ${URL} and takes conversation.created, conversation.csat. Stop it, or take the same kinds.`,
    })
    expect(endpoints[0]?.kinds).toEqual(['conversation.created', 'conversation.csat'])
  })

  it('is registered with the same kinds in another order', async () => {
    expect((await register('conversation.csat', 'conversation.created')).id).toBe(id)
  })

  it('has the kinds of the next one once its taker went away, though what it took is on its way', async () => {
    let goAway = () => {}
    send('a')
    expect(await take('one')).toEqual(['a'])
    const question = { taker: 'one', holding: ['a'], limit: 10 }
    const taken = listeners.take(SANDBOX, id, question, (listener) => {
      goAway = listener
    })
    await vi.advanceTimersByTimeAsync(0)
    await expect(register('conversation.csat')).rejects.toMatchObject({ status: 409 })
    goAway()
    await taken
    expect((await register('conversation.csat')).kinds).toEqual(['conversation.csat'])
    expect(report('a')).toBe(1)
    // Now the next one is there.
    await expect(register('conversation.created')).rejects.toMatchObject({ status: 409 })
  })
})

it('has its taker register again when it is removed', async () => {
  send('a')
  expect(await take('one')).toEqual(['a'])
  const question = take('one', ['a'])
  await listeners.dismiss(SANDBOX, id, async () => void endpoints.splice(0))
  expect(await question).toEqual([])
  expect(settled).toEqual([['a', null]])
  expect(report('a')).toBe(0)
  await expect(take('one')).rejects.toMatchObject({ status: 404, code: 'listener_not_found' })
  expect((await listeners.register(SANDBOX, { url: URL, kinds: null })).id).toBe(id)
  send('b')
  expect(await take('one')).toEqual(['b'])
})

it('gives everything back when nothing is heard of its taker any more', async () => {
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

it('is another one in a store with other data, so that nobody reports what another server sent', async () => {
  send('dlv_1')
  expect(await take('one')).toEqual(['dlv_1'])
  const before = id
  endpoints.splice(0)
  const others = { ...SANDBOX, id: 2 }
  const again = await listeners.register(others, { url: URL, kinds: null })
  expect(again.id).not.toBe(before)
  const question = { taker: 'one', holding: ['dlv_1'], limit: 10 }
  await expect(listeners.take(others, before, question)).rejects.toMatchObject({ status: 404 })
  expect(listeners.report(others, before, [{ id: 'dlv_1', ...DONE }])).toBe(0)
  // The same URL in the same data is the same listener.
  expect((await listeners.register(others, { url: URL, kinds: null })).id).toBe(again.id)
})
