// Sandboxes in PostgreSQL, without the server around them, and processes that deliver from there.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { EMPTY } from '../mock-server/src/sandbox/seed.ts'
import { PostgresStore } from '../mock-server/src/store/postgres/index.ts'
import type { Sandbox } from '../mock-server/src/store/types.ts'
import { startPostgres } from '../scripts/services/postgres.ts'
import type { Service } from '../scripts/services/service.ts'

/** The size of a body, in bytes. */
const BODY = 350
const onError = (message: string) => process.stderr.write(`${message}\n`)

export class HostedDatabase {
  readonly schema = 'bench_hosted'
  readonly #url: string
  readonly #client: pg.Client
  #events = 0

  private constructor(url: string) {
    this.#url = url
    this.#client = new pg.Client({ connectionString: url })
  }

  static async open(url: string): Promise<HostedDatabase> {
    const database = new HostedDatabase(url)
    await database.#client.connect()
    return database
  }

  /** Runs SQL in the schema, and returns the column `value` of the first row as a number. */
  async one(sql: string): Promise<number> {
    return Number((await this.#client.query(sql)).rows[0]?.value)
  }

  /** A store that only commits, and the sandboxes in it, each with an endpoint. */
  async filled(count: number, urlOf: (index: number) => string) {
    await this.#drop()
    const options = { url: this.#url, directUrl: this.#url, schema: this.schema, onError }
    const store = await PostgresStore.open({ ...options, delivers: false })
    const sandboxes: Sandbox[] = []
    for (let index = 0; index < count; index++) {
      const sandbox = await store.sandboxes.get(`tenant ${index}`, () => EMPTY)
      if (!sandbox) throw new Error('there is no room')
      const endpoint = { id: `ep_${index}`, url: urlOf(index), kinds: null, secret: 'whsec_bench' }
      await store.endpoints.add(sandbox, endpoint)
      sandboxes.push(sandbox)
    }
    return { store, sandboxes }
  }

  /** Commits an event, whose body has the time. */
  async emit(store: PostgresStore, sandbox: Sandbox): Promise<void> {
    const at = Date.now()
    const plain = { at, sandbox: sandbox.id, text: '' }
    const text = 'x'.repeat(BODY - JSON.stringify(plain).length)
    const event = { id: `evt_${++this.#events}`, kind: 'conversation.message', occurredAt: at }
    const change = { events: [{ ...event, body: JSON.stringify({ ...plain, text }) }] }
    await store.state.commit(sandbox, change)
  }

  /** Adds deliveries of a sandbox that wait. @param due When they are due, in milliseconds. */
  async wait(sandbox: Sandbox, count: number, due: number): Promise<void> {
    const { schema } = this
    await this.#client.query(
      `WITH new_events AS (
         INSERT INTO ${schema}.events (sandbox, id, kind, occurred_at, body, recorded_at)
         SELECT $1, 'evt_waits_' || number, 'conversation.message', $3, $4, $3
         FROM generate_series(1, $2::int) AS number RETURNING number
       ), new_deliveries AS (
         INSERT INTO ${schema}.deliveries (sandbox, event, endpoint, state, due, attempted)
         SELECT $1, e.number, p.number, 'pending', $5, 1
         FROM new_events e, ${schema}.endpoints p WHERE p.sandbox = $1
       )
       UPDATE ${schema}.endpoints SET due = $5 WHERE sandbox = $1`,
      [sandbox.id, count, Date.now(), 'x'.repeat(BODY), due],
    )
    await this.#client.query('ANALYZE')
  }

  /** A process that delivers. */
  worker(): ChildProcess {
    return fork(join(import.meta.dirname, 'hosted-worker.ts'), [this.#url, this.schema])
  }

  async close(): Promise<void> {
    await this.#drop()
    await this.#client.end()
  }

  async #drop(): Promise<void> {
    await this.#client.query(`DROP SCHEMA IF EXISTS ${this.schema} CASCADE`)
  }
}

/** Starts a PostgreSQL that waits for its disk. @param root A folder for its data */
export async function durablePostgres(root: string): Promise<Service> {
  chmodSync(root, 0o755) // for the account of PostgreSQL
  const folder = join(root, 'postgres')
  mkdirSync(folder)
  return startPostgres(folder, { fsync: 'on' })
}

/** Runs work for each of so many, some at once. */
export async function each(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const loop = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}

/** What a process says next. */
export async function ready(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message')
  return message
}

/** The processor time of a process, in microseconds. */
export async function usageOf(worker: ChildProcess): Promise<number> {
  worker.send('usage')
  const { user, system } = (await ready(worker)) as NodeJS.CpuUsage
  return user + system
}

export async function stop(worker: ChildProcess): Promise<void> {
  worker.send('stop')
  await once(worker, 'exit')
}
