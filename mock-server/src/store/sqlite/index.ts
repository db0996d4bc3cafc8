import { setImmediate as immediate } from 'node:timers/promises'
import { numberOf } from '../ids.ts'
import type {
  Change,
  DeliveryFilter,
  Endpoint,
  Outcome,
  Sandbox,
  Seed,
  Source,
  Store,
} from '../types.ts'
import { Database } from './database.ts'
import { Outbox } from './outbox.ts'
import { Removals } from './removals.ts'
import { State } from './state.ts'

/** The most sandboxes that are kept. */
const CAPACITY = 1000

interface SandboxRow {
  id: number
  clock_offset: number
  generation: number
}

/** A store in a SQLite file, or in memory. What it does, it does at once and in order. */
export class SqliteStore implements Store {
  readonly #db: Database
  readonly #state: State
  readonly #outbox: Outbox
  readonly #removals: Removals
  readonly #now: () => number
  /** By key, the most recently used last. */
  readonly #sandboxes = new Map<string, Sandbox>()
  readonly #numbers = new Map<number, number>()

  /** @throws {StoreError} where the file cannot be used. */
  constructor(file: string, options: { isDurable?: boolean; now?: () => number } = {}) {
    this.#db = new Database(file, options.isDurable ?? false)
    this.#state = new State(this.#db)
    this.#outbox = new Outbox(this.#db)
    this.#removals = new Removals(this.#db)
    this.#now = options.now ?? Date.now
    const sql = 'SELECT id, key, clock_offset, generation FROM sandboxes ORDER BY used_at'
    for (const row of this.#db.rows<SandboxRow & { key: string }>(sql)) {
      this.#sandboxes.set(row.key, sandboxOf(row))
    }
  }

  /** How many sandboxes there are. */
  get size(): number {
    return this.#sandboxes.size
  }

  async sandbox(key: string, seed: () => Seed): Promise<Sandbox | null> {
    const known = this.#sandboxes.get(key)
    if (known) {
      this.#sandboxes.delete(key)
      this.#sandboxes.set(key, known)
      return known
    }
    const last = this.#sandboxes.size < CAPACITY ? null : this.#leastUsed()
    if (last === undefined) return null
    const sandbox = this.#db.transaction(() => {
      if (last) this.#db.run('DELETE FROM sandboxes WHERE id = ?', last.id)
      const sql = 'INSERT INTO sandboxes (key, used_at) VALUES (?, ?)'
      const { inserted } = this.#db.run(sql, key, this.#now())
      const added = { id: inserted, offset: 0, generation: 0 }
      this.#fill(added, seed())
      return added
    })
    if (last) {
      this.#sandboxes.delete(last.key)
      this.#numbers.delete(last.id)
    }
    this.#sandboxes.set(key, sandbox)
    return sandbox
  }

  async reset(sandbox: Sandbox, seed: Seed): Promise<void> {
    const endpoints = this.#outbox.endpointNumbers(sandbox)
    this.#db.transaction(() => {
      this.#state.clear(sandbox)
      this.#outbox.clear(sandbox)
      this.#db.run(
        'UPDATE sandboxes SET clock_offset = 0, generation = generation + 1, numbers = 0 WHERE id = ?',
        sandbox.id,
      )
      this.#fill(sandbox, seed)
    })
    this.#outbox.forget(endpoints)
    this.#numbers.delete(sandbox.id)
    this.#refresh(sandbox)
  }

  async numbers(sandbox: Sandbox, count: number): Promise<number> {
    const sql = 'SELECT numbers FROM sandboxes WHERE id = ?'
    const first =
      this.#numbers.get(sandbox.id) ?? this.#db.row<{ numbers: number }>(sql, sandbox.id)?.numbers
    const next = (first ?? 0) + 1
    this.#numbers.set(sandbox.id, next + count - 1)
    return next
  }

  conversation = async (sandbox: Sandbox, id: string) => this.#state.conversation(sandbox, id)
  thread = async (sandbox: Sandbox, id: string) => this.#state.thread(sandbox, id)
  conversations: Store['conversations'] = async (sandbox, options) =>
    this.#state.conversations(sandbox, options)
  source = async (sandbox: Sandbox, id: string) => this.#state.source(sandbox, id)
  counts = async (sandbox: Sandbox, intents: number) => this.#state.counts(sandbox, intents)
  events: Store['events'] = async (...asked) => this.#outbox.events(...asked)
  eventOf = async (sandbox: Sandbox, delivery: string) => this.#outbox.eventOf(sandbox, delivery)

  async commit(sandbox: Sandbox, change: Change): Promise<void> {
    const now = this.#now()
    this.#db.transaction(() => {
      this.#state.write(sandbox, change, now)
      this.#outbox.emit(sandbox, change.events ?? [], now)
      this.#use(sandbox, now)
    })
    if (change.remembered) this.#state.releaseKey(sandbox, change.remembered.scope)
  }

  claimKey = async (sandbox: Sandbox, scope: string, fingerprint: string) =>
    this.#state.claimKey(sandbox, scope, fingerprint)
  releaseKey = async (sandbox: Sandbox, scope: string) => this.#state.releaseKey(sandbox, scope)

  addEndpoint = async (sandbox: Sandbox, endpoint: Endpoint) =>
    this.#db.transaction(() => {
      this.#outbox.addEndpoint(sandbox, endpoint)
      this.#use(sandbox, this.#now())
    })
  endpoints = async (sandbox: Sandbox) => this.#outbox.endpoints(sandbox)
  changeSecret = async (sandbox: Sandbox, id: string, secret: string) =>
    this.#outbox.changeSecret(sandbox, id, secret)
  changeKinds = async (sandbox: Sandbox, id: string, kinds: string[] | null) =>
    this.#outbox.changeKinds(sandbox, id, kinds)
  attend = async (sandbox: Sandbox, id: string, isAttended: boolean) =>
    this.#outbox.attend(sandbox, id, isAttended)

  async removeEndpoint(sandbox: Sandbox, id: string): Promise<boolean> {
    const number = this.#removals.add(sandbox, id)
    if (number === undefined) return false
    this.#outbox.forget([number])
    return true
  }

  deliveries: Store['deliveries'] = async (...asked) => this.#outbox.deliveries(...asked)
  countDeliveries: Store['countDeliveries'] = async (...asked) =>
    this.#outbox.countDeliveries(...asked)
  delivery = async (sandbox: Sandbox, id: string) => this.#outbox.delivery(sandbox, id)
  replay = async (sandbox: Sandbox, which: DeliveryFilter | { id: string }, due: number) =>
    this.#outbox.replay(sandbox, which, due)

  endpointNumbers = async (sandbox?: Sandbox) => this.#outbox.endpointNumbers(sandbox)
  firstDue = async (endpoint: number) => this.#outbox.firstDue(endpoint)
  firstSourceDue = async () => this.#state.firstSourceDue()
  claim = async (endpoint: number, now: number, limit: number) =>
    this.#outbox.claim(endpoint, now, limit)

  async record(outcomes: readonly Outcome[]): Promise<void> {
    this.#db.transaction(() => this.#outbox.record(outcomes))
    this.#outbox.release(outcomes.map(({ delivery }) => delivery))
  }

  release = async (deliveries: readonly number[]) => this.#outbox.release(deliveries)

  async dueSources(now: number, limit: number) {
    const rows = this.#db.rows<SandboxRow & { source: string; json: string; due: number }>(
      `SELECT s.id, s.clock_offset, s.generation, c.id AS source, c.json, c.due
       FROM sources c JOIN sandboxes s ON s.id = c.sandbox WHERE c.due <= ? ORDER BY c.due LIMIT ?`,
      now,
      limit,
    )
    return rows.map((row) => ({
      sandbox: sandboxOf(row),
      source: { id: row.source, json: row.json, due: row.due } satisfies Source,
    }))
  }

  async advance(sandbox: Sandbox, ms: number): Promise<Sandbox> {
    this.#db.transaction(() => {
      const { changes } = this.#db.run(
        'UPDATE sandboxes SET clock_offset = clock_offset + ? WHERE id = ? AND generation = ?',
        ms,
        sandbox.id,
        sandbox.generation,
      )
      if (changes === 0) return
      this.#db.run(
        'UPDATE sources SET due = due - ? WHERE sandbox = ? AND due IS NOT NULL',
        ms,
        sandbox.id,
      )
    })
    return this.#refresh(sandbox)
  }

  async nextDue(sandbox: Sandbox): Promise<number | null> {
    const sql = 'SELECT min(due) AS due FROM sources WHERE sandbox = ? AND due IS NOT NULL'
    const source = this.#db.row<{ due: number | null }>(sql, sandbox.id)?.due ?? null
    const delivery = this.#outbox.nextDue(sandbox)
    if (source === null || delivery === null) return source ?? delivery
    return Math.min(source, delivery)
  }

  async prune(before: number): Promise<number> {
    let pruned = 0
    // In small steps, so that requests are answered in between.
    for (const step of [
      this.#removals.steps(),
      this.#outbox.pruning(before),
      this.#state.pruning(before),
    ]) {
      for (const count of step) {
        pruned += count
        await immediate()
      }
    }
    return pruned
  }

  async close(): Promise<void> {
    this.#db.close()
  }

  #fill(sandbox: Sandbox, seed: Seed): void {
    this.#state.seed(sandbox, seed)
    for (const endpoint of seed.endpoints) this.#outbox.addEndpoint(sandbox, endpoint)
    const sql = 'UPDATE sandboxes SET numbers = ? WHERE id = ?'
    this.#db.run(sql, lastNumber(sandbox, seed), sandbox.id)
  }

  /** Notes that a sandbox was used, and the numbers that were. */
  #use({ id }: Sandbox, now: number): void {
    const sql = 'UPDATE sandboxes SET used_at = ?, numbers = max(numbers, ?) WHERE id = ?'
    this.#db.run(sql, now, this.#numbers.get(id) ?? 0, id)
  }

  /** The least recently used sandbox in which nothing waits. */
  #leastUsed(): { key: string; id: number } | undefined {
    const sql = `SELECT 1 FROM deliveries d JOIN endpoints p ON p.number = d.endpoint
      WHERE d.sandbox = ? AND d.state IN ('pending', 'dead') LIMIT 1`
    for (const [key, { id }] of this.#sandboxes) if (!this.#db.row(sql, id)) return { key, id }
    return undefined
  }

  /** Reads a sandbox again after its clock or generation changed. */
  #refresh({ id }: Sandbox): Sandbox {
    const sql = 'SELECT id, key, clock_offset, generation FROM sandboxes WHERE id = ?'
    const row = this.#db.row<SandboxRow & { key: string }>(sql, id)
    if (!row) throw new Error('the sandbox is gone')
    const sandbox = sandboxOf(row)
    this.#sandboxes.set(row.key, sandbox)
    return sandbox
  }
}

/** The highest number in a seed's ids: a sandbox may be seeded with what it made itself. */
function lastNumber(sandbox: Sandbox, { conversations, sources, endpoints }: Seed): number {
  const threads = conversations.flatMap((one) => [one.conversation, ...one.messages])
  const made = [...threads, ...sources, ...endpoints]
  return made.reduce((last, { id }) => Math.max(last, numberOf(id, sandbox)), 0)
}

function sandboxOf({ id, clock_offset, generation }: SandboxRow): Sandbox {
  return { id, offset: clock_offset, generation }
}
