/** Five attempts within 24 hours, proven without waiting for them. */
import { afterEach, describe, expect, it } from 'vitest'
import { GAPS, JITTER, seededChance, waitAfter } from '../src/delivery/schedule.ts'
import type { Result } from '../src/delivery/sender.ts'
import type { Job } from '../src/store/types.ts'
import { FAILED, OK, REFUSED, type Virtual, virtual } from './virtual.ts'

const SECOND = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Attempts that take ten seconds each, the longest possible. */
const LONGEST = 10 * SECOND
const schedule = { timeScale: 1, chance: seededChance }
const COUNT = 10_000

describe('the wait after an attempt', () => {
  it('is 15 minutes, 1, 4 and 16 hours, each varied by up to a tenth', () => {
    expect(GAPS).toEqual([0.25 * HOUR, HOUR, 4 * HOUR, 16 * HOUR])
    for (const [index, gap] of GAPS.entries()) {
      const waits = Array.from(
        { length: COUNT },
        (_, id) => waitAfter(index + 1, id, schedule) ?? 0,
      )
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(gap * 0.9)
      expect(Math.max(...waits)).toBeLessThanOrEqual(gap * 1.1)
      // Spread evenly over the whole range.
      const tenths = new Array(10).fill(0)
      for (const wait of waits) tenths[Math.min(9, Math.floor((wait / gap - 0.9) * 50))]++
      for (const tenth of tenths) expect(tenth / COUNT).toBeCloseTo(0.1, 1)
    }
  })

  it('does not exist after the fifth', () => {
    expect(waitAfter(5, 1, schedule)).toBeNull()
    expect(waitAfter(6, 1, schedule)).toBeNull()
  })

  it('depends only on the delivery and the attempt', () => {
    const first = Array.from({ length: 100 }, (_, id) => waitAfter(1, id, schedule))
    expect(Array.from({ length: 100 }, (_, id) => waitAfter(1, id, schedule))).toEqual(first)
    expect(new Set(first).size).toBe(100)
    const factors = GAPS.map((gap, index) => (waitAfter(index + 1, 7, schedule) ?? 0) / gap)
    expect(new Set(factors.map((factor) => factor.toFixed(4))).size).toBe(4)
  })

  it('is multiplied by the time scale', () => {
    const scaled = waitAfter(4, 7, { ...schedule, timeScale: 0.001 }) ?? 0
    expect(scaled).toBe(Math.round((waitAfter(4, 7, schedule) ?? 0) / 1000))
  })

  it('ends within 24 hours at the longest', () => {
    const chance = () => 1
    const waits = GAPS.map((_, index) => waitAfter(index + 1, 1, { timeScale: 1, chance }) ?? 0)
    const all = waits.reduce((sum, wait) => sum + wait, 5 * LONGEST)
    expect(all).toBeLessThan(DAY)
  })
})

describe('a delivery', () => {
  let world: Virtual
  afterEach(() => world.close())

  /** Every attempt that is made, with its beginning and end by the sandbox's clock. */
  async function watch(respond: (job: Job, attempt: number) => Result, takes = 0) {
    const attempts: Array<{ event: string; begin: number; end: number }> = []
    const counts = new Map<string, number>()
    world = await virtual(async (job) => {
      const event = job.event.id
      const attempt = (counts.get(event) ?? 0) + 1
      counts.set(event, attempt)
      const begin = world.clock.now + job.sandbox.offset
      world.clock.now += takes
      attempts.push({ event, begin, end: begin + takes })
      return respond(job, attempt)
    })
    await world.endpoint('ep_1')
    return attempts
  }
  const history = async () => {
    const [delivery] = await world.store.deliveries.list(await world.sandbox(), {}, 1)
    return delivery
  }

  it('that always fails is attempted five times, each a wait after the end of the last one', async () => {
    const attempts = await watch(() => FAILED, LONGEST)
    await world.emit()
    await world.advance(DAY)
    expect(attempts).toHaveLength(5)
    for (const [index, gap] of GAPS.entries()) {
      const [before, after] = [attempts[index], attempts[index + 1]]
      const wait = (after?.begin ?? 0) - (before?.end ?? 0)
      expect(wait).toBeGreaterThanOrEqual(gap * (1 - JITTER))
      expect(wait).toBeLessThanOrEqual(gap * (1 + JITTER))
    }
    expect((attempts[4]?.end ?? 0) - (attempts[0]?.begin ?? 0)).toBeLessThan(DAY)
    const delivery = await history()
    expect(delivery?.state).toBe('dead')
    expect(delivery?.attempts.map(({ at }) => at)).toEqual(attempts.map(({ begin }) => begin))
    await world.advance(10 * DAY)
    expect(attempts).toHaveLength(5)
  })

  it('waits the same in every run', async () => {
    const runs: number[][] = []
    for (let run = 0; run < 2; run++) {
      const attempts = await watch(() => FAILED)
      await world.emit(3)
      await world.advance(DAY)
      runs.push(attempts.map(({ begin }) => begin))
      await world.close()
    }
    await watch(() => OK)
    expect(runs[0]).toHaveLength(15)
    expect(runs[1]).toEqual(runs[0])
  })

  it('is attempted in the order of time among others', async () => {
    const attempts = await watch(() => FAILED)
    await world.emit(20)
    await world.advance(DAY)
    expect(attempts).toHaveLength(100)
    const times = attempts.map(({ begin }) => begin)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  it.each([1, 2, 3, 4, 5])('that succeeds at attempt %i has no further one', async (which) => {
    const attempts = await watch((_job, attempt) => (attempt === which ? OK : FAILED))
    await world.emit()
    await world.advance(DAY)
    expect(attempts).toHaveLength(which)
    expect((await history())?.state).toBe('succeeded')
  })

  it('that is refused is dead after one attempt', async () => {
    const attempts = await watch(() => REFUSED)
    await world.emit()
    await world.advance(DAY)
    expect(attempts).toHaveLength(1)
    expect((await history())?.state).toBe('dead')
  })

  it('is attempted when it is due and not before', async () => {
    const attempts = await watch(() => FAILED)
    await world.emit()
    await world.advance(0)
    expect(attempts).toHaveLength(1)
    const wait = waitAfter(1, 1, schedule) ?? 0
    await world.advance(wait - 1)
    expect(attempts).toHaveLength(1)
    await world.advance(1)
    expect(attempts).toHaveLength(2)
  })

  it('waits by the clock of its sandbox', async () => {
    const attempts = await watch(() => FAILED)
    await world.endpoint('ep_1', null, 'b')
    await world.emit(1, 'conversation.resolved', 'a')
    await world.emit(1, 'conversation.resolved', 'b')
    await world.advance(DAY, 'a')
    expect(attempts.map(({ event }) => event).sort()).toEqual([...Array(5).fill('evt_1'), 'evt_2'])
    await world.advance(DAY, 'b')
    expect(attempts.filter(({ event }) => event === 'evt_2')).toHaveLength(5)
  })
})
