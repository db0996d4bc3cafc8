/** Limits how often each tenant may call. */
import { Problem } from '../door/problem.ts'

export interface Rate {
  /** Requests that a tenant may send in a second, on average. */
  perSecond: number
  /** Requests that it may send at once. */
  burst: number
}

/**
 * A 429 that says when to retry.
 *
 * @param wait In milliseconds.
 * @param or What else helps, after a comma.
 */
export function rateLimited(why: string, wait: number, or = ''): Problem {
  const seconds = Math.ceil(wait / 1000)
  const detail = `${why} Retry after ${seconds} s${or}.`
  return new Problem(429, 'rate_limited', detail, { headers: { 'retry-after': String(seconds) } })
}

/** How many tenants are remembered. One that is forgotten starts anew. */
const MOST = 10_000

/**
 * One time for each tenant (GCRA): when the requests that it has sent would all have been allowed, evenly spread. A
 * request is too early if that is further ahead than a burst.
 */
export class RateLimiter {
  readonly #paid = new Map<string, number>()

  /**
   * @param now In milliseconds, never going back.
   * @param share The part of the rate that this process has, as others serve the same tenant.
   * @returns after how many milliseconds to retry; 0 for a request that may pass.
   */
  take(tenant: string, { perSecond, burst }: Rate, now: number, share = 1): number {
    const interval = 1000 / (perSecond * share)
    const before = Math.max(this.#paid.get(tenant) ?? 0, now)
    const wait = before - now - (Math.max(1, burst * share) - 1) * interval
    if (wait > 0) return wait
    this.#paid.delete(tenant)
    this.#paid.set(tenant, before + interval)
    if (this.#paid.size > MOST) this.#forget(now)
    return 0
  }

  /** Forgets those that have nothing to wait for, then the one that has called least recently. */
  #forget(now: number): void {
    for (const [tenant, time] of this.#paid) if (time <= now) this.#paid.delete(tenant)
    for (const tenant of this.#paid.keys()) {
      if (this.#paid.size <= MOST) return
      this.#paid.delete(tenant)
    }
  }
}
