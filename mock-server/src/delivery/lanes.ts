/** The lanes of all endpoints that this process works on. */
import type { Job } from '../store/types.ts'
import { Lane } from './lane.ts'

export class Lanes {
  /** By the number of the endpoint. */
  readonly #lanes = new Map<number, Lane>()
  readonly #concurrency: number

  /** @param concurrency How many attempts may run at one endpoint at once. */
  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  of(endpoint: number): Lane {
    const known = this.#lanes.get(endpoint)
    if (known) return known
    const lane = new Lane(endpoint, this.#concurrency)
    this.#lanes.set(endpoint, lane)
    return lane
  }

  /** Those in which any of these jobs has not started. */
  with(jobs: ReadonlySet<Job>): Lane[] {
    return [...this.#lanes.values()].filter((lane) => lane.hasAny(jobs))
  }

  /** Those that want to claim more by now. */
  wanting(now: number): Lane[] {
    return [...this.#lanes.values()].filter(({ wanted }) => wanted !== null && wanted <= now)
  }

  /** Drops those without anything to do. @returns when another one wants to claim more; infinity for never */
  next(): number {
    let next = Number.POSITIVE_INFINITY
    for (const [endpoint, lane] of this.#lanes) {
      if (lane.isIdle) this.#lanes.delete(endpoint)
      else next = Math.min(next, lane.wanted ?? next)
    }
    return next
  }

  /** Removes all jobs that have not started. @returns them */
  empty(): Job[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.empty())
  }
}
