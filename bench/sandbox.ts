// A sandbox in this process, without the server around it: to fill one, and to time what it delivers.

import { createHash } from 'node:crypto'
import { seededChance } from '../mock-server/src/delivery/schedule.ts'
import { Sender } from '../mock-server/src/delivery/sender.ts'
import { Worker } from '../mock-server/src/delivery/worker.ts'
import { EMPTY } from '../mock-server/src/sandbox/seed.ts'
import { SqliteStore } from '../mock-server/src/store/sqlite/index.ts'
import type { Sandbox, Seed } from '../mock-server/src/store/types.ts'
import { apiKey } from './servers.ts'

const HOUR = 3_600_000
/** How many events one commit emits. */
const BATCH = 500

/** As our server keeps it, so that it goes on where this ends. */
const key = createHash('sha256').update(apiKey).digest('base64url')

/** A delivery of 350 bytes. */
export const body = JSON.stringify({
  event: 'conversation.message',
  id: 'evt_0010000000001',
  occurred_at: '2026-03-02T09:14:09Z',
  data: { conversation_id: 'conv_01J2Z8M3VN', message: 'x'.repeat(230) },
})

const silent = () => {}
export const log = {
  error(message: string, fields?: object) {
    throw new Error(message, { cause: fields })
  },
  warn: silent,
  info: silent,
}

export class OpenSandbox {
  readonly #store: SqliteStore
  readonly #sandbox: Sandbox
  readonly #sender = new Sender({ allowPrivate: true, encoding: 'hex', userAgent: 'bench' })
  readonly #worker: Worker
  #events = 0

  private constructor(store: SqliteStore, sandbox: Sandbox, concurrency: number) {
    this.#store = store
    this.#sandbox = sandbox
    this.#worker = new Worker({
      store: store.outbox,
      now: Date.now,
      log,
      send: (job) => this.#sender.send(job),
      schedule: { timeScale: 1, chance: seededChance },
      index: async () => {},
      concurrency,
    })
  }

  static async open(
    file: string,
    {
      isDurable = false,
      seed = EMPTY,
      connections = 1,
    }: { isDurable?: boolean; seed?: Seed; connections?: number } = {},
  ): Promise<OpenSandbox> {
    const store = new SqliteStore(file, { isDurable })
    const sandbox = await store.sandboxes.get(key, () => seed)
    if (!sandbox) throw new Error('there is no room')
    return new OpenSandbox(store, sandbox, connections)
  }

  /** Adds an endpoint for events of one kind. */
  async addEndpoint(id: string, url: string, kind: string): Promise<void> {
    const endpoint = { id, url, kinds: [kind], secret: 'whsec_bench' }
    await this.#store.endpoints.add(this.#sandbox, endpoint)
  }

  async emit(kind: string, count: number): Promise<void> {
    for (let left = count; left > 0; left -= BATCH) {
      const events = Array.from({ length: Math.min(left, BATCH) }, () => ({
        id: `evt_${++this.#events}`,
        kind,
        occurredAt: Date.now(),
        body,
      }))
      await this.#store.state.commit(this.#sandbox, { events })
    }
  }

  /** Makes what is due wait for an hour, as after an attempt that failed. */
  async postpone(): Promise<void> {
    const now = Date.now()
    const attempt = { at: now, status: 500, reason: '500', headers: {}, body: '' }
    for (const endpoint of await this.#store.outbox.endpointNumbers(this.#sandbox)) {
      const jobs = await this.#store.outbox.claim(endpoint, now, Number.MAX_SAFE_INTEGER)
      await this.#store.outbox.record(
        jobs.map((job) => ({ job, attempt, state: 'pending', due: now + HOUR })),
      )
    }
  }

  /** Delivers what is due, and records it. */
  async deliver(): Promise<void> {
    await this.#worker.poke(this.#sandbox)
    await this.#worker.settled()
  }

  async close(): Promise<void> {
    await this.#worker.stop()
    await this.#sender.close()
    await this.#store.close()
  }
}
