import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SupportChatError } from '../../src/generated/names.ts'
import { type DedupeLease, MemoryDedupeStore } from '../../src/webhooks/index.ts'

const LEASE = 300_000
const KEPT = 172_800_000

function newStore(options: { lease?: number; keep?: number } = {}) {
  const clock = { now: 1_000_000_000_000 }
  return { clock, store: new MemoryDedupeStore({ now: () => clock.now, ...options }) }
}

/** The memory in use, in bytes. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

function tokenOf(lease: DedupeLease): string {
  if (lease.state === 'new') return lease.token
  throw new Error(`The event is ${lease.state}.`)
}

describe('a store in memory', () => {
  test('leases an event once, until it is released', () => {
    const { store } = newStore()
    const token = tokenOf(store.begin('a'))
    expect(store.begin('a')).toEqual({ state: 'in_progress' })
    store.release('a', token)
    expect(tokenOf(store.begin('a'))).not.toBe(token)
  })

  test('remembers handled events', () => {
    const { store } = newStore()
    store.done('a', tokenOf(store.begin('a')))
    expect(store.begin('a')).toEqual({ state: 'done' })
    expect(store.begin('b').state).toBe('new')
  })

  test.each(['done', 'release'] as const)('ignores %s with another token', (method) => {
    const { store, clock } = newStore()
    const old = tokenOf(store.begin('a'))
    store[method]('a', 'other')
    store[method]('b', old)
    expect(store.begin('a').state).toBe('in_progress')
    clock.now += LEASE
    const current = tokenOf(store.begin('a'))
    store[method]('a', old)
    expect(store.begin('a').state).toBe('in_progress')
    store.done('a', current)
    store[method]('a', current)
    expect(store.begin('a').state).toBe('done')
  })

  test.each([
    ['by default', {}, LEASE, KEPT],
    ['as configured', { lease: 2, keep: 7 }, 2_000, 7_000],
  ])('drops leases and handled events, %s', (_, options, lease, keep) => {
    const { store, clock } = newStore(options)
    store.begin('a')
    clock.now += lease - 1
    expect(store.begin('a').state).toBe('in_progress')
    clock.now += 1
    store.done('a', tokenOf(store.begin('a')))
    clock.now += keep - 1
    expect(store.begin('a').state).toBe('done')
    clock.now += 1
    expect(store.begin('a').state).toBe('new')
  })

  test('uses the time of day by default', () => {
    const store = new MemoryDedupeStore()
    store.done('a', tokenOf(store.begin('a')))
    expect(store.begin('a').state).toBe('done')
  })

  test.each([{ lease: -1 }, { keep: Number.NaN }])('cannot be made with %j', (options) => {
    expect(() => new MemoryDedupeStore(options)).toThrow(SupportChatError)
  })

  test('drops events in time where its clock is set back too', () => {
    const { store, clock } = newStore({ lease: 2 })
    clock.now += 10_000
    store.begin('a')
    clock.now -= 10_000
    store.begin('b')
    clock.now += 2_000
    expect(store.begin('b').state).toBe('new')
    expect(store.begin('a').state).toBe('in_progress')
  })

  test('keeps no entries that have ended', () => {
    const { store, clock } = newStore({ lease: 1, keep: 1 })
    const before = heapUsed()
    for (let i = 0; i < 500_000; i++) {
      const lease = store.begin(`evt_${i}`)
      if (i % 2 === 0) store.done(`evt_${i}`, tokenOf(lease))
      clock.now += 10
    }
    // Each of them takes more than 100 bytes.
    expect(heapUsed() - before).toBeLessThan(10_000_000)
    expect(store.begin('evt_499999').state).toBe('in_progress')
  })

  test('is what a table of all events would be', () => {
    const id = fc.constantFrom('a', 'b', 'c')
    const step = fc.oneof(
      fc.record({ does: fc.constant('begin' as const), id }),
      fc.record({
        does: fc.constantFrom('done' as const, 'release' as const),
        id,
        token: fc.nat(5),
      }),
      fc.record({
        does: fc.constant('wait' as const),
        ms: fc.nat(9_000),
      }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { store, clock } = newStore({ lease: 2, keep: 5 })
        const table = new Map<string, { token: string; done: boolean; end: number }>()
        const tokens: string[] = []
        for (const each of steps) {
          if (each.does === 'wait') {
            clock.now += each.ms
            continue
          }
          const row = table.get(each.id)
          const alive = row && row.end > clock.now ? row : undefined
          if (each.does === 'begin') {
            const lease = store.begin(each.id)
            expect(lease.state).toBe(alive ? (alive.done ? 'done' : 'in_progress') : 'new')
            if (lease.state !== 'new') continue
            expect(tokens).not.toContain(lease.token)
            tokens.push(lease.token)
            table.set(each.id, { token: lease.token, done: false, end: clock.now + 2_000 })
            continue
          }
          const token = tokens.at(-1 - each.token) ?? 'none'
          store[each.does](each.id, token)
          if (!alive || alive.done || alive.token !== token) continue
          if (each.does === 'release') table.delete(each.id)
          else table.set(each.id, { token, done: true, end: clock.now + 5_000 })
        }
      }),
    )
  })
})
