import { describe, expect, it } from 'vitest'
import { RateLimiter } from '../../src/hosted/rate.ts'

const RATE = { perSecond: 10, burst: 5 }

describe('a rate limiter', () => {
  it('lets a burst pass, then as many as the rate allows', () => {
    const limiter = new RateLimiter()
    const at = (now: number) => limiter.take('a', RATE, now)
    expect([at(0), at(0), at(0), at(0), at(0)]).toEqual([0, 0, 0, 0, 0])
    expect(at(0)).toBeCloseTo(100)
    expect(at(60)).toBeCloseTo(40)
    expect(at(100)).toBe(0)
    expect(at(100)).toBeCloseTo(100)
    let passed = 0
    for (let now = 100; now < 10_100; now++) if (at(now) === 0) passed++
    expect(passed).toBeGreaterThanOrEqual(99)
    expect(passed).toBeLessThanOrEqual(101)
  })

  it('counts each tenant alone', () => {
    const limiter = new RateLimiter()
    for (let i = 0; i < 5; i++) limiter.take('a', RATE, 0)
    expect(limiter.take('a', RATE, 0)).toBeGreaterThan(0)
    expect(limiter.take('b', RATE, 0)).toBe(0)
  })

  it('gives each of several processes its share', () => {
    const limiters = [new RateLimiter(), new RateLimiter()]
    let passed = 0
    for (let now = 0; now < 10_000; now += 2) {
      for (const limiter of limiters) if (limiter.take('a', RATE, now, 0.5) === 0) passed++
    }
    expect(passed).toBeGreaterThanOrEqual(100)
    expect(passed).toBeLessThanOrEqual(106)
  })

  it('remembers a bounded number of tenants', () => {
    const limiter = new RateLimiter()
    for (let i = 0; i < 30_000; i++) limiter.take(`t${i}`, RATE, 0)
    expect(limiter.take('t29999', { perSecond: 10, burst: 1 }, 0)).toBeGreaterThan(0)
    expect(limiter.take('t0', { perSecond: 10, burst: 1 }, 0)).toBe(0)
  })
})
