// How often the use of a tenant is counted.
import { afterEach, expect, it, vi } from 'vitest'
import { Tenants } from '../../src/hosted/tenants.ts'
import type { Limits, Tenant, TenantStore } from '../../src/store/tenants.ts'

const LIMITS: Limits = {
  requests_per_second: 10,
  conversations: 10,
  stored_bytes: 10,
  endpoints: 10,
  deliveries_per_day: 10,
}
const NOTHING = { conversations: 0, stored_bytes: 0, endpoints: 0, deliveries_per_day: 0 }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it.each([
  ['each second where that is quick', 1, 1_000],
  ['less often the longer it takes', 200, 10_000],
  ['each minute at least', 5_000, 60_000],
])('%s', async (_, took, pause) => {
  let time = 1
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const pass = (ms: number) => {
    time += ms
    vi.advanceTimersByTime(ms)
  }
  let counts = 0
  const store: Partial<TenantStore> = {
    get: async (id) => ({ id, limits: {} }) as Tenant,
    usage: async () => {
      counts += 1
      pass(took)
      return { ...NOTHING }
    },
  }
  const tenants = new Tenants({
    store: store as TenantStore,
    limits: LIMITS,
    now: () => 0,
    processes: () => 1,
  })
  const allow = () => tenants.allow('key_1', { conversations: 1 })
  await allow()
  pass(pause - 10)
  await allow()
  expect(counts).toBe(1)
  pass(20)
  await allow()
  expect(counts).toBe(2)
})
