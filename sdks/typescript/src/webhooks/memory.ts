import { WEBHOOKS_DEDUPE_KEPT_MS, WEBHOOKS_DEDUPE_LEASE_MS } from '../generated/policy.js'
import type { DedupeLease, DedupeStore } from './dedupe.js'
import { requireSize } from './options.js'

/** The options of a `MemoryDedupeStore`. */
export interface MemoryDedupeStoreOptions {
  /**
   * Seconds until a lease ends. A handler that takes longer counts as dead, and its event is handled
   * again.
   *
   * @default 300
   */
  lease?: number | undefined
  /**
   * Seconds for which handled events are remembered. Longer than the service retries deliveries.
   *
   * @default 172_800
   */
  keep?: number | undefined
  /**
   * The clock, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: (() => number) | undefined
}

/**
 * Remembers events in the memory of one process. For tests, and for a service of one process that
 * may handle an event again after a restart.
 */
export class MemoryDedupeStore implements DedupeStore {
  readonly #leases: ExpiringMap<string>
  readonly #handled: ExpiringMap<true>
  readonly #now: () => number
  #tokens = 0

  constructor(options: MemoryDedupeStoreOptions = {}) {
    const lease = requireSize('lease', options.lease) ?? WEBHOOKS_DEDUPE_LEASE_MS / 1000
    const keep = requireSize('keep', options.keep) ?? WEBHOOKS_DEDUPE_KEPT_MS / 1000
    this.#leases = new ExpiringMap(lease)
    this.#handled = new ExpiringMap(keep)
    this.#now = options.now ?? Date.now
  }

  begin(id: string): DedupeLease {
    const now = this.#now()
    if (this.#handled.get(id, now)) return { state: 'done' }
    if (this.#leases.get(id, now)) return { state: 'in_progress' }
    const token = `${++this.#tokens}`
    this.#leases.set(id, token, now)
    return { state: 'new', token }
  }

  done(id: string, token: string): void {
    const now = this.#now()
    if (this.#leases.get(id, now) !== token) return
    this.#leases.delete(id)
    this.#handled.set(id, true, now)
  }

  release(id: string, token: string): void {
    if (this.#leases.get(id, this.#now()) === token) this.#leases.delete(id)
  }
}

/** All values live equally long, and so they end in the order in which they were set. */
class ExpiringMap<Value> {
  readonly #entries = new Map<string, { value: Value; end: number }>()
  readonly #life: number

  constructor(seconds: number) {
    this.#life = seconds * 1000
  }

  get(key: string, now: number): Value | undefined {
    for (const [oldest, { end }] of this.#entries) {
      if (end > now) break
      this.#entries.delete(oldest)
    }
    // The clock may have been set back. An entry that has ended then follows one that has not.
    const entry = this.#entries.get(key)
    return entry && entry.end > now ? entry.value : undefined
  }

  set(key: string, value: Value, now: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, end: now + this.#life })
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
