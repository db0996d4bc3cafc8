import { lastNumber } from '../ids.ts'
import type { Leases } from '../leases.ts'
import { type SandboxRow, sandboxOf } from '../rows.ts'
import type { SandboxStore } from '../store.ts'
import type { Due, Sandbox, Seed } from '../types.ts'
import type { Database } from './database.ts'
import type { Endpoints } from './endpoints.ts'
import type { Numbers } from './numbers.ts'
import type { Outbox } from './outbox.ts'
import type { State } from './state.ts'

export interface SandboxesOptions {
  db: Database
  state: State
  endpoints: Endpoints
  outbox: Outbox
  leases: Leases
  numbers: Numbers
  now: () => number
}

/** The most sandboxes that are kept. */
const CAPACITY = 1000

export class Sandboxes implements SandboxStore {
  readonly #options: SandboxesOptions
  readonly #db: Database
  /** By key, the most recently used last. */
  readonly #sandboxes = new Map<string, Sandbox>()
  /** The chosen revisions, by the number of the sandbox. */
  readonly #revisions = new Map<number, string>()

  constructor(options: SandboxesOptions) {
    this.#options = options
    this.#db = options.db
    const sql = 'SELECT id, key, clock_offset, generation FROM sandboxes ORDER BY used_at'
    for (const row of this.#db.rows<SandboxRow & { key: string }>(sql)) {
      this.#sandboxes.set(row.key, sandboxOf(row))
    }
    this.readRevisions()
  }

  /** Reads the chosen revisions again. */
  readRevisions(): void {
    const sql = 'SELECT id, revision FROM sandboxes WHERE revision IS NOT NULL'
    this.#revisions.clear()
    for (const { id, revision } of this.#db.rows<{ id: number; revision: string }>(sql)) {
      this.#revisions.set(id, revision)
    }
  }

  async revision(key: string): Promise<string | null> {
    const { id = 0 } = this.#sandboxes.get(key) ?? {}
    return this.#revisions.get(id) ?? null
  }

  async choose({ id }: Sandbox, revision: string | null): Promise<void> {
    this.#db.run('UPDATE sandboxes SET revision = ? WHERE id = ?', revision, id)
    if (revision === null) this.#revisions.delete(id)
    else this.#revisions.set(id, revision)
  }

  async count(): Promise<number> {
    return this.#sandboxes.size
  }

  async get(key: string, seed: () => Seed): Promise<Sandbox | null> {
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
      const { inserted } = this.#db.run(sql, key, this.#options.now())
      const added = { id: inserted, offset: 0, generation: 0 }
      this.#fill(added, seed())
      return added
    })
    if (last) {
      this.#sandboxes.delete(last.key)
      this.#options.numbers.drop(last.id)
      this.#revisions.delete(last.id)
    }
    this.#sandboxes.set(key, sandbox)
    return sandbox
  }

  async reset(sandbox: Sandbox, seed: Seed): Promise<void> {
    const { state, leases } = this.#options
    const endpoints = this.#numbersOf(sandbox)
    this.#db.transaction(() => {
      state.clear(sandbox)
      for (const table of ['endpoints', 'events']) {
        this.#db.run(`DELETE FROM ${table} WHERE sandbox = ?`, sandbox.id)
      }
      this.#db.run(
        'UPDATE sandboxes SET clock_offset = 0, paused = 0, generation = generation + 1, numbers = 0 WHERE id = ?',
        sandbox.id,
      )
      this.#fill(sandbox, seed)
    })
    leases.drop(endpoints)
    this.#options.numbers.drop(sandbox.id)
    this.refresh(sandbox)
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
    return this.refresh(sandbox)
  }

  async isPaused({ id }: Sandbox): Promise<boolean> {
    const sql = 'SELECT paused FROM sandboxes WHERE id = ?'
    return this.#db.row<{ paused: number }>(sql, id)?.paused === 1
  }

  async pause({ id }: Sandbox, isPaused: boolean): Promise<void> {
    this.#db.run('UPDATE sandboxes SET paused = ? WHERE id = ?', Number(isPaused), id)
  }

  async dues(sandbox: Sandbox, endpoints?: readonly number[]): Promise<Due[]> {
    const sql = 'SELECT min(due) AS due FROM sources WHERE sandbox = ? AND due IS NOT NULL'
    const due = this.#db.row<{ due: number | null }>(sql, sandbox.id)?.due ?? null
    const sources = due === null ? [] : [{ endpoint: null, due }]
    return [...sources, ...this.#options.outbox.dues(sandbox, endpoints)]
  }

  #fill(sandbox: Sandbox, seed: Seed): void {
    const { state, endpoints } = this.#options
    state.seed(sandbox, seed)
    for (const endpoint of seed.endpoints) endpoints.insert(sandbox, endpoint)
    const sql = 'UPDATE sandboxes SET numbers = ? WHERE id = ?'
    this.#db.run(sql, lastNumber(sandbox, seed), sandbox.id)
  }

  #numbersOf({ id }: Sandbox): number[] {
    const sql = 'SELECT number FROM endpoints WHERE sandbox = ?'
    return this.#db.rows<{ number: number }>(sql, id).map(({ number }) => number)
  }

  /** The least recently used sandbox in which nothing waits. */
  #leastUsed(): { key: string; id: number } | undefined {
    const sql = `SELECT 1 FROM deliveries d JOIN endpoints p ON p.number = d.endpoint
      WHERE d.sandbox = ? AND d.state IN ('pending', 'dead') LIMIT 1`
    for (const [key, { id }] of this.#sandboxes) if (!this.#db.row(sql, id)) return { key, id }
    return undefined
  }

  /** Reads a sandbox again after its clock or generation changed. */
  refresh({ id }: Sandbox): Sandbox {
    const sql = 'SELECT id, key, clock_offset, generation FROM sandboxes WHERE id = ?'
    const row = this.#db.row<SandboxRow & { key: string }>(sql, id)
    if (!row) throw new Error('the sandbox is gone')
    const sandbox = sandboxOf(row)
    this.#sandboxes.set(row.key, sandbox)
    return sandbox
  }
}
