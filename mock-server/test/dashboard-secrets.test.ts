import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ShownOnce } from '../src/dashboard/shown-once.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const SANDBOX = { id: 1, offset: 0, generation: 0 }
const endpoint = (id: string) => ({ id, url: 'http://a', kinds: null, secret: `whsec_${id}` })

it('a secret that is not shown is dropped after five minutes', async () => {
  const secrets = new ShownOnce()
  const [early, late] = [endpoint('early'), endpoint('late')].map((one) =>
    secrets.keep(SANDBOX, one),
  )
  vi.advanceTimersByTime(299_999)
  expect(await secrets.take(SANDBOX, early ?? '')).toEqual(endpoint('early'))
  vi.advanceTimersByTime(1)
  expect(await secrets.take(SANDBOX, late ?? '')).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

it('of more than a hundred secrets that are not shown, the oldest is dropped', async () => {
  const secrets = new ShownOnce()
  const tokens = Array.from({ length: 101 }, (_, index) =>
    secrets.keep(SANDBOX, endpoint(String(index))),
  )
  const taken = await Promise.all(tokens.map((token) => secrets.take(SANDBOX, token)))
  const found = taken.map((one) => one?.id)
  expect(found).toEqual([undefined, ...Array.from({ length: 100 }, (_, index) => `${index + 1}`)])
  expect(vi.getTimerCount()).toBe(0)
})
