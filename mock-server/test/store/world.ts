/** Shared by the tests of every store. */
import { afterEach, beforeEach } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import type { Conversation, Event, Job, Outcome, Sandbox, Seed } from '../../src/store/types.ts'

export interface Made {
  store: Store
  /** Opens the same data again, as after a crash; undefined where the store keeps nothing. */
  reopen?: () => Promise<Store>
  clean: () => Promise<void>
}

export const EMPTY: Seed = { conversations: [], sources: [], endpoints: [] }
export const NOW = Date.parse('2026-11-21T12:00:00Z')
export const DAY = 86_400_000
export const LATER = NOW + DAY

export function conversation(id: string, position: number, more: Partial<Conversation> = {}) {
  const one: Conversation = {
    id,
    status: 'open',
    createdAt: NOW,
    updatedAt: NOW,
    position,
    visitor: 'Ada',
    intent: null,
    handoff: null,
    rating: null,
    json: JSON.stringify({ id }),
    ...more,
  }
  return one
}

export function event(id: string, kind = 'conversation.resolved'): Event {
  return { id, kind, occurredAt: NOW, body: JSON.stringify({ id, text: 'é📦' }) }
}

const SENT = { sent: { c: 'd' }, ms: 12.5 }

export const endpoint = (id: string, kinds: string[] | null = null) => ({
  id,
  url: `https://${id}.example/`,
  kinds,
  secret: `whsec_${id}`,
})

export function outcome(job: Job, state: Outcome['state'], due: number | null = null): Outcome {
  const reason = state === 'succeeded' ? null : '503'
  const attempt = { at: NOW, status: 200, reason, headers: { a: 'b' }, body: '"é', ...SENT }
  return { job, attempt, state, due }
}

/** A store whose clock stands at the given time. */
export type Make = (now: () => number) => Promise<Made>

/** A fresh store for each test, with a sandbox. */
export class World {
  clock = NOW
  store!: Store
  sandbox!: Sandbox
  #made!: Made

  constructor(make: Make) {
    beforeEach(async () => {
      this.clock = NOW
      this.#made = await make(() => this.clock)
      this.store = this.#made.store
      this.sandbox = await this.of('a')
    })
    afterEach(async () => {
      await this.store.close()
      await this.#made.clean()
    })
  }

  /** Opens the data again. @returns false where the store keeps nothing. */
  async reopen(): Promise<boolean> {
    if (!this.#made.reopen) return false
    this.store = await this.#made.reopen()
    return true
  }

  async of(key: string, seed = EMPTY): Promise<Sandbox> {
    const found = await this.store.sandboxes.get(key, () => seed)
    if (!found) throw new Error('there is no room')
    return found
  }

  /** Claims the due deliveries. */
  async claimed(sandbox = this.sandbox, limit = 100): Promise<Job[]> {
    const numbers = await this.store.outbox.endpointNumbers(sandbox)
    const claims = numbers.map((number) => this.store.outbox.claim(number, this.clock, limit))
    return (await Promise.all(claims)).flat()
  }

  async states(sandbox = this.sandbox): Promise<Array<[event: string, state: string]>> {
    const deliveries = await this.store.deliveries.list(sandbox, {}, 100)
    return deliveries.map(({ event_id, state }) => [event_id, state])
  }
}

/** The messages of `conv_1`. */
export async function transcriptOf(store: Store, sandbox: Sandbox): Promise<string | undefined> {
  return (await store.state.thread(sandbox, 'conv_1'))?.transcript
}

/** When the sandbox's next delivery or source is due. */
export async function nextDue({ sandboxes }: Store, sandbox: Sandbox): Promise<number | null> {
  const times = (await sandboxes.dues(sandbox)).map(({ due }) => due)
  return times.length === 0 ? null : Math.min(...times)
}
